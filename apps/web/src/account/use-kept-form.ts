import { useEffect, useEffectEvent, useState } from 'react'
import { type FormFields, forgetForm, keepForm, keptFields } from '../api/kept-forms.ts'
import { useAccountAddress } from './use-account.ts'

/** A form whose fields survive a visit to another screen. */
export interface KeptFormState<Fields> {
  readonly fields: Fields
  /** The user changed the form, now or on an earlier visit. */
  readonly isTouched: boolean
  change(fields: Partial<Fields>): void
  /** Starts again with an empty form. */
  clear(): void
}

/**
 * The fields of a form, kept in this tab until its command was sent, the user signs out or the wallet shows another address.
 * `useCommand` ends the form that it is given as `form`.
 *
 * @param name of the form; one per order where each order has a form.
 * @param first an untouched form, empty text where a field has no value.
 * @param asked what the link to the form names. It fills an untouched form, and replaces kept fields that differ.
 * @example const { fields, change } = useKeptForm('pledge', { asset: 'USDT', amount: '' }, draft)
 */
export function useKeptForm<Fields extends FormFields>(
  name: string,
  first: Fields,
  asked: Partial<Fields> = {},
): KeptFormState<Fields> {
  const owner = useAccountAddress()
  const readFor = (account: string) => keptFields(name, first, { owner: account, asked })
  const [own, setOwn] = useState(() => readFor(owner))
  const isTouched = own !== undefined
  // The account may become known later. Typed fields stay as they are.
  const readAgain = useEffectEvent((account: string) => {
    if (!isTouched) setOwn(readFor(account))
  })
  useEffect(() => readAgain(owner), [owner])
  const fields = own ?? { ...first, ...asked }
  return {
    fields,
    isTouched,
    change(changed) {
      const next = { ...fields, ...changed }
      setOwn(next)
      keepForm(name, { owner, asked, fields: next })
    },
    clear() {
      setOwn(first)
      forgetForm(name)
    },
  }
}

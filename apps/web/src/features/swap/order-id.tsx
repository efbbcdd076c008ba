import { m } from '../../generated/paraglide/messages.js'
import { CopyButton } from '../../ui/copy-button.tsx'
import { shortHex } from '../../ui/format.ts'

/** A swap's number, to copy whole. */
export function OrderId({ id }: { id: string }) {
  return (
    <span className="-my-3 inline-flex items-center">
      {shortHex(id)}
      <CopyButton text={id} label={m.swap_copy_order_id()} />
    </span>
  )
}

import { stored } from '@clearwell/ui/browser/stored.ts'

/** The fields of a form: texts, choices and switches as the user left them, never a quote or a signature. */
export type FormFields = Readonly<Record<string, string | number | boolean>>

export interface KeptForm {
  /** The address that filled it in, in lower case; empty for a visitor, whose form the account keeps that signs in next. */
  readonly owner: string
  /** The fields that the link to the form named when it was filled in. */
  readonly asked: Partial<FormFields>
  readonly fields: FormFields
}

/** The forms of this tab by name, so that a visit to another screen loses nothing that was typed. */
const forms = stored<KeptForm>({
  key: 'clearwell.until-disconnect.forms',
  scope: 'tab',
  keep: 20,
  clearsOnDisconnect: true,
  schema: (value) => (isKept(value) ? value : undefined),
})

/** Stores a form that the user changed. */
export function keepForm(name: string, form: KeptForm): void {
  // Again: the form that was changed last stays longest.
  forms.remove(name)
  forms.put(name, form)
}

/** Removes a form that the user cleared. */
export function forgetForm(name: string): void {
  forms.remove(name)
}

/**
 * Removes a form whose command is being sent: a reload before the response must not offer it again.
 *
 * @returns a function that keeps the form again, where nothing was carried out.
 */
export function takeForm(name: string): () => void {
  const kept = forms.get(name)
  forms.remove(name)
  return () => {
    if (kept && !forms.get(name)) keepForm(name, kept)
  }
}

/** A visit of a form: who sees it, and what the link to it asks for. */
export interface FormVisit<Fields> {
  readonly owner: string
  readonly asked: Partial<Fields>
}

/**
 * Reads the fields of a form as the user left them.
 *
 * @param first an untouched form. A kept field that it lacks, or of another type, comes from another build and is left out.
 * @returns `undefined` where nothing is kept, or where the link asks for something else than what is kept.
 */
export function keptFields<Fields extends FormFields>(
  name: string,
  first: Fields,
  { owner, asked }: FormVisit<Fields>,
): Fields | undefined {
  const kept = forms.get(name)
  if (!kept || (kept.owner !== '' && kept.owner !== owner)) return undefined
  const isSame = (other: FormFields) => Object.entries(asked).every(([key, value]) => value === other[key])
  if (!isSame(kept.asked as FormFields) && !isSame(kept.fields)) return undefined
  const known = Object.entries(kept.fields).filter(([key, value]) => typeof value === typeof first[key])
  return { ...first, ...Object.fromEntries(known) }
}

function isKept(value: unknown): value is KeptForm {
  const { owner, asked, fields } = (value ?? {}) as Partial<KeptForm>
  return typeof owner === 'string' && isRecord(asked) && isRecord(fields)
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

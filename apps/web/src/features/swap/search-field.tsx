import { Icon } from '@clearwell/ui/icons/icon.tsx'

/** Narrows the list below it while its user types. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (text: string) => void
}) {
  return (
    <div className="flex items-center gap-2 rounded-control bg-input px-3 focus-within:outline-2 focus-within:outline-accent">
      <Icon name="search" className="text-muted" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        autoComplete="off"
        enterKeyHint="search"
        onChange={(event) => onChange(event.target.value)}
        className="min-h-11 min-w-0 flex-1 bg-transparent outline-none placeholder:text-muted"
      />
    </div>
  )
}

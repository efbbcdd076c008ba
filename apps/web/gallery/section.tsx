import { currentLocale } from '@clearwell/ui/i18n/locale.ts'
import type { ReactNode } from 'react'

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="gallery-section">
      <h2 className="text-section">{title}</h2>
      {children}
    </section>
  )
}

/** One component under its name, in one or more states. */
export function Example({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="gallery-example">
      <h3 className="text-label text-muted">{name}</h3>
      {children}
    </div>
  )
}

export function Row({ children }: { children: ReactNode }) {
  return <div className="gallery-row">{children}</div>
}

/** A sample text in the language of the gallery. */
export function sample(zh: string, en: string): string {
  return currentLocale() === 'en' ? en : zh
}

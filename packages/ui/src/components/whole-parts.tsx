import type { ReactNode } from 'react'

/** A shortened address, an amount with its unit, a date with its time in Chinese and in English. */
const WHOLE_PARTS = /(0x\w+…\w+|[\d.,]*\d [A-Z]{2,}|\d+年\d+月\d+日\s\d+:\d+|\d+\s[A-Z][a-z]+\s\d{4}\s\d+:\d+)/

/** Keeps on one line what a line could otherwise break in the middle. */
export function withWholeParts(text: string): ReactNode {
  return text.split(WHOLE_PARTS).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={`${index} ${part}`} className="whitespace-nowrap">
        {part}
      </span>
    ),
  )
}

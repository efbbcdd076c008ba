/** A receipt to share as a picture. */
export interface ReceiptContent {
  readonly title: string
  readonly amounts: readonly { readonly amount: string; readonly asset: string }[]
  readonly facts: readonly ReceiptFact[]
  /** With `.png`. */
  readonly fileName: string
}

export interface ReceiptFact {
  readonly label: string
  readonly value: string
  /** A hash or an id: set in equal widths and never shortened. */
  readonly isCode?: boolean
}

export interface ReceiptText {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly font: 'brand' | 'title' | 'amount' | 'label' | 'value' | 'code'
  readonly size: number
  readonly align: 'left' | 'center' | 'right'
}

export interface ReceiptLayout {
  readonly height: number
  readonly texts: readonly ReceiptText[]
  /** Hairlines across the picture. */
  readonly lines: readonly number[]
}

/** In pixels of the picture, which is three times the size of a phone's screen. */
export const RECEIPT_WIDTH = 1080
const MARGIN = 84
const LINE = 48
const CODE_SIZE = 30
const AMOUNT_SIZE = 84
const ROW_PADDING = 30
/** From the top to the first amount: mark, name and title. */
const HEAD = 460
const FOOT = 150

/**
 * Pure: arranges a receipt. Long amounts are set smaller, and long codes on several lines, so that nothing is cut.
 *
 * @param measure the width of a text in a font at a size.
 */
export function layoutReceipt(
  { title, amounts, facts }: ReceiptContent,
  { product, site }: { product: string; site: string },
  measure: (text: string, font: ReceiptText['font'], size: number) => number,
): ReceiptLayout {
  const inner = RECEIPT_WIDTH - 2 * MARGIN
  const center = RECEIPT_WIDTH / 2
  const texts: ReceiptText[] = [
    { text: product, x: center, y: 268, font: 'brand', size: 44, align: 'center' },
    { text: title, x: center, y: 352, font: 'title', size: 40, align: 'center' },
  ]
  const lines: number[] = []
  let y = HEAD
  for (const { amount, asset } of amounts) {
    const text = `${amount} ${asset}`
    const size = Math.min(AMOUNT_SIZE, Math.floor((AMOUNT_SIZE * inner) / measure(text, 'amount', AMOUNT_SIZE)))
    texts.push({ text, x: center, y, font: 'amount', size, align: 'center' })
    y += AMOUNT_SIZE + 24
  }
  for (const { label, value, isCode } of facts) {
    lines.push(y)
    y += ROW_PADDING + LINE - 12
    const font = isCode ? 'code' : 'value'
    const size = isCode ? CODE_SIZE : 34
    const room = inner - measure(label, 'label', 34) - 40
    texts.push({ text: label, x: MARGIN, y, font: 'label', size: 34, align: 'left' })
    for (const [index, text] of wrap(value, (part) => measure(part, font, size) <= room, Boolean(isCode)).entries()) {
      if (index > 0) y += LINE
      texts.push({ text, x: RECEIPT_WIDTH - MARGIN, y, font, size, align: 'right' })
    }
    y += ROW_PADDING
  }
  lines.push(y)
  texts.push({ text: site, x: center, y: y + FOOT - 64, font: 'label', size: 30, align: 'center' })
  return { height: y + FOOT, texts, lines }
}

/** Codes break anywhere, other texts between words. */
function wrap(text: string, fits: (text: string) => boolean, isCode: boolean): string[] {
  const pieces = isCode ? [...text] : text.split(/(?<=\s)/)
  const wrapped: string[] = []
  let line = ''
  for (const piece of pieces) {
    if (line !== '' && !fits((line + piece).trimEnd())) {
      wrapped.push(line.trimEnd())
      line = ''
    }
    line += piece
  }
  return [...wrapped, line.trimEnd()]
}

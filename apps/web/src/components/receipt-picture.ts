import { layoutReceipt, RECEIPT_WIDTH, type ReceiptContent, type ReceiptText } from './receipt-layout.ts'

/** Draws receipts as pictures in the browser, in the colours of the current mode. Loaded when one is shared. */

const FONTS: Record<ReceiptText['font'], { weight: number; family: '--font-sans' | '--font-mono'; color: string }> = {
  brand: { weight: 650, family: '--font-sans', color: '--color-text' },
  title: { weight: 400, family: '--font-sans', color: '--color-muted' },
  amount: { weight: 650, family: '--font-sans', color: '--color-text' },
  label: { weight: 400, family: '--font-sans', color: '--color-muted' },
  value: { weight: 500, family: '--font-sans', color: '--color-text' },
  code: { weight: 400, family: '--font-mono', color: '--color-text' },
}

/** @returns a PNG. */
export async function drawReceipt(receipt: ReceiptContent, brand: { product: string; site: string }): Promise<Blob> {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  const canvas = document.createElement('canvas')
  canvas.width = RECEIPT_WIDTH
  const context = canvas.getContext('2d')
  if (!context) throw new Error('the browser draws no pictures')
  const fontOf = (font: ReceiptText['font'], size: number) =>
    `${FONTS[font].weight} ${size}px ${token(FONTS[font].family)}`
  const { height, texts, lines } = layoutReceipt(receipt, brand, (text, font, size) => {
    context.font = fontOf(font, size)
    return context.measureText(text).width
  })
  // This also resets the context.
  canvas.height = height
  context.fillStyle = token('--color-surface')
  context.fillRect(0, 0, RECEIPT_WIDTH, height)
  drawWell(context, token('--color-accent'))
  context.fillStyle = token('--color-line')
  for (const y of lines) context.fillRect(84, y, RECEIPT_WIDTH - 168, 2)
  for (const { text, x, y, font, size, align } of texts) {
    context.font = fontOf(font, size)
    context.fillStyle = token(FONTS[font].color)
    context.textAlign = align
    context.fillText(text, x, y)
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))), 'image/png'),
  )
}

/** The well of the brand: rings on water, and a tick over them. */
function drawWell(context: CanvasRenderingContext2D, color: string): void {
  context.strokeStyle = color
  context.lineCap = 'round'
  context.lineJoin = 'round'
  for (const [radius, opacity] of [
    [44, 1],
    [110, 0.35],
    [180, 0.15],
  ] as const) {
    context.globalAlpha = opacity
    context.lineWidth = 5
    context.beginPath()
    context.ellipse(RECEIPT_WIDTH / 2, 160, radius, radius / 3, 0, 0, 2 * Math.PI)
    context.stroke()
  }
  context.globalAlpha = 1
  context.lineWidth = 10
  context.beginPath()
  context.moveTo(RECEIPT_WIDTH / 2 - 34, 100)
  context.lineTo(RECEIPT_WIDTH / 2 - 8, 126)
  context.lineTo(RECEIPT_WIDTH / 2 + 40, 72)
  context.stroke()
}

import { encode } from 'uqr'
import { m } from '../../generated/messages.ts'

/** Draws an invitation as a picture in the browser, in the colours of the current mode. Loaded when one is saved. */

/** In pixels of the picture, which is three times the size of a phone's screen. */
const WIDTH = 1080
const HEIGHT = 1350
const PLATE = 720
const PLATE_TOP = 320
/** The quiet zone around the code in modules, as the standard requires. */
const QUIET = 4
const MARK_SCALE = 4

/** @returns a PNG with the product, the QR code of the link, the code, and the site. */
export async function drawInvitation({
  product,
  code,
  link,
}: {
  product: string
  code: string
  link: string
}): Promise<Blob> {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('the browser draws no pictures')
  const write = (text: string, y: number, font: string, color: string) => {
    context.font = font
    context.fillStyle = token(color)
    context.textAlign = 'center'
    context.fillText(text, WIDTH / 2, y, WIDTH - 160)
  }
  const [sans, mono] = [token('--font-sans'), token('--font-mono')]
  context.fillStyle = token('--color-surface')
  context.fillRect(0, 0, WIDTH, HEIGHT)
  drawMark(context, token('--color-accent'))
  write(product, 200, `650 64px ${sans}`, '--color-text')
  write(m.referral_scan(), 268, `400 40px ${sans}`, '--color-muted')
  drawCode(context, link)
  write(m.referral_code(), 1125, `400 34px ${sans}`, '--color-muted')
  write(code, 1200, `650 64px ${mono}`, '--color-text')
  write(new URL(link).host, 1285, `400 34px ${sans}`, '--color-accent')
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))), 'image/png'),
  )
}

/** The mark of the product, a well with clear water, above its name. */
function drawMark(context: CanvasRenderingContext2D, color: string): void {
  context.save()
  context.translate(WIDTH / 2 - 16 * MARK_SCALE, 16)
  context.scale(MARK_SCALE, MARK_SCALE)
  context.strokeStyle = color
  context.fillStyle = color
  context.lineWidth = 2
  context.lineCap = 'round'
  context.stroke(new Path2D('M7 12a9 3.6 0 1 0 18 0a9 3.6 0 1 0-18 0v8c0 2 4 3.6 9 3.6s9-1.6 9-3.6v-8'))
  context.fill(new Path2D('M11 18a5 1.7 0 1 0 10 0a5 1.7 0 1 0-10 0'))
  context.restore()
}

/** Dark on white in either mode, since scanners expect that. Whole pixels, so that no module is blurred. */
function drawCode(context: CanvasRenderingContext2D, link: string): void {
  const { size, data } = encode(link, { ecc: 'M', border: QUIET })
  const left = (WIDTH - PLATE) / 2
  context.fillStyle = '#fff'
  context.beginPath()
  context.roundRect(left, PLATE_TOP, PLATE, PLATE, 42)
  context.fill()
  context.fillStyle = '#000'
  const module = Math.floor(PLATE / size)
  const start = Math.floor((PLATE - module * size) / 2)
  for (const [y, row] of data.entries())
    for (const [x, isDark] of row.entries())
      if (isDark) context.fillRect(left + start + x * module, PLATE_TOP + start + y * module, module, module)
}

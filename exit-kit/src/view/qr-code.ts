import { encode } from 'uqr'

const SVG = 'http://www.w3.org/2000/svg'
/** The quiet zone around the code in modules, as the standard requires. */
const QUIET = 4

/** A QR code: dark on white, since scanners expect that. */
export function qrCode(text: string, label: string): Element {
  const { size, data } = encode(text, { ecc: 'L', border: QUIET })
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  const svg = document.createElementNS(SVG, 'svg')
  const attributes = { role: 'img', 'aria-label': label, viewBox: `0 0 ${size} ${size}`, class: 'qr' }
  for (const [name, value] of Object.entries({ ...attributes, 'shape-rendering': 'crispEdges' }))
    svg.setAttribute(name, value)
  for (const [fill, d] of [
    ['#fff', `M0 0h${size}v${size}h-${size}z`],
    ['#000', dark],
  ] as const) {
    const path = document.createElementNS(SVG, 'path')
    path.setAttribute('fill', fill)
    path.setAttribute('d', d)
    svg.append(path)
  }
  return svg
}

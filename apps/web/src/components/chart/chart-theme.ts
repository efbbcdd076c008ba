/** The colours and the font of a chart: those of the page that it stands on. */
export interface ChartTheme {
  readonly text: string
  readonly line: string
  readonly edge: string
  readonly accent: string
  /** Under the line of an area, fading to nothing. */
  readonly accentFaint: string
  readonly accentNone: string
  readonly up: string
  readonly down: string
  /** Behind the candles: how much was traded. */
  readonly upFaint: string
  readonly downFaint: string
  /** Behind the labels of the crosshair. */
  readonly label: string
  readonly fontFamily: string
}

/** The theme that an element stands in now. A canvas knows no variables: they are read and handed over. */
export function chartTheme(element: Element): ChartTheme {
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(`--color-${name}`).trim()
  const accent = color('accent')
  const up = color('up')
  const down = color('down')
  return {
    text: color('muted'),
    line: color('line'),
    edge: color('edge'),
    accent,
    accentFaint: withAlpha(accent, '40'),
    accentNone: withAlpha(accent, '00'),
    up,
    down,
    upFaint: withAlpha(up, '66'),
    downFaint: withAlpha(down, '66'),
    label: color('raised'),
    fontFamily: style.fontFamily,
  }
}

/** Calls `onChange` whenever the page changes its colour mode. @returns what ends it. */
export function followColorMode(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-mode'] })
  return () => observer.disconnect()
}

/** A colour of six or three hex digits with another opacity, in two hex digits. Any other stays as it is. */
export function withAlpha(color: string, alpha: string): string {
  const [, r, g, b] = /^#([\da-f])([\da-f])([\da-f])$/i.exec(color) ?? []
  if (r && g && b) return `#${r}${r}${g}${g}${b}${b}${alpha}`
  return /^#[\da-f]{6}$/i.test(color) ? `${color}${alpha}` : color
}

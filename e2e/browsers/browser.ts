/** A browser with one page, as far as the main job needs it. Every browser below speaks a different protocol. */
export interface TestBrowser {
  readonly name: string
  open(url: string): Promise<void>
  /** Runs a function body in the page and returns what it returns, as JSON. */
  run<Result>(body: string): Promise<Result>
  /** Performs WebDriver actions: real presses and keys. Both protocols take the same ones. */
  act(actions: readonly object[]): Promise<void>
  /** A picture of the page, as PNG in base64. */
  screenshot(): Promise<string>
  close(): Promise<void>
}

/** The width and height of a phone. */
export const VIEWPORT = { width: 390, height: 844 } as const

export function pressAt(x: number, y: number): readonly object[] {
  return [
    {
      type: 'pointer',
      id: 'mouse',
      parameters: { pointerType: 'mouse' },
      actions: [
        { type: 'pointerMove', duration: 0, x, y },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    },
  ]
}

export function typeKeys(text: string): readonly object[] {
  const actions = [...text].flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])
  return [{ type: 'key', id: 'keyboard', actions }]
}

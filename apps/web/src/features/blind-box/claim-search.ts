/** The query of the confirmation's path: it chooses boxes and claims nothing. */
export interface ChosenBoxes {
  /** The ids of boxes, separated by commas. Without them, every box that can be claimed. */
  readonly boxes?: string
}

/** `?boxes=…,…` chooses boxes by their ids. */
export function readChosenBoxes({ boxes }: Record<string, unknown>): ChosenBoxes {
  return typeof boxes === 'string' && /^[0-9a-f]{32}(,[0-9a-f]{32})*$/.test(boxes) ? { boxes } : {}
}

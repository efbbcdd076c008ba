/** The query of the confirmation's path: it chooses boxes and claims nothing. */
export interface ChosenBoxes {
  /** The ids of boxes, separated by commas. Without them, every box that can be claimed. */
  readonly boxes?: string
}

/** One command takes this many ids, or claims everything. */
export const MOST_CHOSEN = 20

/** `?boxes=…,…` chooses boxes by their ids. */
export function readChosenBoxes({ boxes }: Record<string, unknown>): ChosenBoxes {
  return typeof boxes === 'string' && /^[0-9a-f]{32}(,[0-9a-f]{32})*$/.test(boxes) ? { boxes } : {}
}

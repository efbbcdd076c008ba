/** A visible row of a tree, as the keys need it. */
export interface TreeRow {
  /** 1 for the first level. */
  readonly level: number
  /** `undefined` for a row with nothing below it. */
  readonly expanded: boolean | undefined
  /** Typing its beginning finds the row. */
  readonly text: string
}

/** The effect of a key: moves the focus to a row, or opens or closes the present one. */
export type TreeMove = { readonly focus: number } | { readonly toggle: true }

/**
 * Moves through a tree by its keys, as the ARIA practices describe: up and down through the visible rows, right opens a row
 * or goes to its first child, left closes it or goes to its parent, and a character finds the next row that begins with it.
 *
 * @returns `undefined` for a key that does nothing here.
 */
export function moveInTree(rows: readonly TreeRow[], at: number, key: string): TreeMove | undefined {
  const row = rows[at]
  if (!row) return undefined
  switch (key) {
    case 'ArrowDown':
      return to(at + 1)
    case 'ArrowUp':
      return to(at - 1)
    case 'Home':
      return to(0)
    case 'End':
      return to(rows.length - 1)
    case 'ArrowRight':
      if (row.expanded === undefined) return undefined
      if (!row.expanded) return { toggle: true }
      return (rows[at + 1]?.level ?? 0) > row.level ? to(at + 1) : undefined
    case 'ArrowLeft':
      return row.expanded ? { toggle: true } : to(parentOf(rows, at))
    default:
      return key.length === 1 && key !== ' ' ? to(nextWith(rows, at, key.toLowerCase())) : undefined
  }

  function to(index: number): TreeMove | undefined {
    return index !== at && rows[index] ? { focus: index } : undefined
  }
}

function parentOf(rows: readonly TreeRow[], at: number): number {
  const level = rows[at]?.level ?? 0
  return rows.findLastIndex((each, index) => index < at && each.level < level)
}

/** The next row that begins with the character, from the top again after the last one. */
function nextWith(rows: readonly TreeRow[], at: number, character: string): number {
  const begins = ({ text }: TreeRow) => text.toLowerCase().startsWith(character)
  const after = rows.findIndex((row, index) => index > at && begins(row))
  return after === -1 ? rows.findIndex(begins) : after
}

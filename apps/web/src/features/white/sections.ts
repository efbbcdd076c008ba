import type { Block } from '../../../content/payload-schema.ts'

export interface Section {
  readonly id: string
  readonly title: string
}

/** The sections of a text in order: its headings with an id. */
export function sectionsOf(blocks: readonly Block[]): Section[] {
  return blocks.flatMap((block) =>
    block.type === 'heading' && block.id !== undefined ? [{ id: block.id, title: block.text }] : [],
  )
}

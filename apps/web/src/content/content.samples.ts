import type { Payload } from '../../content/payload-schema.ts'

/** A text as long as that many words. Only its length is seen, as bars. */
const words = (count: number) => 'mmmmm '.repeat(count).trim()

/** A page of two sections. */
export const CONTENT: Payload = {
  route: '/white',
  locale: 'en',
  title: '',
  summary: words(24),
  blocks: [
    { type: 'heading', id: 'one', text: words(3) },
    { type: 'paragraph', text: words(60) },
    { type: 'paragraph', text: words(50) },
    { type: 'heading', id: 'two', text: words(3) },
    { type: 'paragraph', text: words(60) },
  ],
}

/** Texts one after another, each ended as a sentence; after a Chinese one with no space. */
export function sentences(...texts: readonly string[]): string {
  return texts
    .map(sentence)
    .join(' ')
    .replaceAll(/(?<=[。！？]) /g, '')
}

/** Ends a text as a sentence, in whichever script it is. */
function sentence(text: string): string {
  if (/[.。！？!?]$/.test(text)) return text
  return /\p{Script=Han}/u.test(text) ? `${text}。` : `${text}.`
}

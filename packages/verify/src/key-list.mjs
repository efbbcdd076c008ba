// @ts-check

/**
 * Reads addresses with commas between them, in lower case. Empty: every key is accepted.
 *
 * @param {string | undefined} text
 */
export function keyList(text) {
  return (text ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '')
}

/**
 * Loads chunks together. It rejects only once all have ended, as a chunk that failed later would count as that of no part, and
 * with an error of its own, as the address of one of them is not that of the part.
 */
export async function loadTogether<Chunks extends readonly unknown[]>(
  chunks: Chunks,
): Promise<{ -readonly [Index in keyof Chunks]: Awaited<Chunks[Index]> }> {
  const ended = await Promise.allSettled(chunks)
  const failed = ended.find(({ status }) => status === 'rejected')
  if (failed) throw new Error('a chunk could not be loaded', { cause: (failed as PromiseRejectedResult).reason })
  return Promise.all(chunks)
}

/**
 * Loads chunks together. It rejects only once all have ended, as a chunk that failed later would count as that of no part. Its
 * error names no address: that of one chunk is not that of the part.
 */
export async function loadTogether<Chunks extends readonly unknown[]>(
  chunks: Chunks,
): Promise<{ -readonly [Index in keyof Chunks]: Awaited<Chunks[Index]> }> {
  const ended = await Promise.allSettled(chunks)
  const failed = ended.find(({ status }) => status === 'rejected')
  if (failed) throw new Error('a chunk could not be loaded', { cause: (failed as PromiseRejectedResult).reason })
  return Promise.all(chunks)
}

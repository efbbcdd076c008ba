import type { Step } from '@clearwell/verify/verify-balance'
import type { PostedHeader, RootReading } from '../../../wallet/read-root.ts'

/** A header as the server says it is on the chain, and the nodes that are asked about it. */
export interface ChainClaim {
  /** Nodes of the chain, the first of which is asked first. */
  readonly nodes: readonly string[]
  /** `undefined`: the vault takes no headers. */
  readonly posted: PostedHeader | undefined
}

type Read = (node: string, posted: PostedHeader) => Promise<RootReading>

/** Looks for the header in the vault, by the node of the configuration, and by a second one if the first does not show it. */
export async function compareWithChain({ nodes, posted }: ChainClaim, read: Read = readByNode): Promise<Step> {
  if (!posted) return { name: 'chain', state: 'absent' }
  const readings: RootReading[] = []
  for (const node of nodes) {
    readings.push(await read(node, posted))
    if (readings.at(-1) === 'posted') break
  }
  return judgeReadings(readings, posted)
}

/** A header is missing only if two nodes say so. One that another node shows is judged by neither. */
function judgeReadings(readings: readonly RootReading[], { hash }: PostedHeader): Step {
  const others = readings.filter((each) => each === 'other').length
  if (others >= 2) return { name: 'chain', state: 'wrong', fault: 'chain', detail: hash }
  const isPosted = readings.includes('posted') && others === 0
  return { name: 'chain', state: isPosted ? 'right' : 'unchecked' }
}

async function readByNode(node: string, posted: PostedHeader): Promise<RootReading> {
  const { readRoot } = await import('../../../wallet/read-root.ts')
  return readRoot(node, posted)
}

import { readFileSync } from 'node:fs'
import { parseUnits } from '@clearwell/money/decimal'
import { toHex } from '@clearwell/rules/box-draw'
import type { MembershipLevel } from '@clearwell/rules/box-power'
import { inclusionPath, leafHash } from '@clearwell/rules/box-tree'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import { sha256 } from '@noble/hashes/sha2.js'
import type { BoxEvidence, DayEvidence, Evidence } from '../verify/box-evidence.ts'

const FILE = new URL('../../../../../../docs/concepts/draw-example.json', import.meta.url)

/** The day of docs/concepts/draw.md, which tests check with a shell: everything that proves one of its three boxes. */
export function exampleEvidence(index = 1): Evidence {
  const { boxes, ...day } = JSON.parse(readFileSync(FILE, 'utf8')) as DayEvidence & { boxes: BoxEvidence[] }
  const leaves = boxes.map(({ box_id: id, level, streak, fees: text }) => {
    const fees = parseUnits(text, 18) ?? 0n
    return leafHash({ day: day.day as HongKongDay, id, level: level as MembershipLevel, streak, fees }, sha256)
  })
  return {
    day,
    box: boxes[index] as BoxEvidence,
    boxes,
    inclusion: { index, path: inclusionPath(leaves, index, sha256).map(toHex) },
    sources: {
      pools: day.pool.map(({ asset, rewards }) => ({ asset, opening: asset === 'USDT' ? '600' : rewards, rewards })),
      sources: [{ asset: 'USDT', kind: 'swap', amount: '0.5', entries: 2 }],
      items: [
        { entry: 5119, kind: 'swap', asset: 'USDT', amount: '0.2' },
        { entry: 5120, kind: 'swap', asset: 'USDT', amount: '0.3' },
      ],
    },
    block: {
      hash: day.block_hash ?? '',
      time: day.block_time ?? '',
      previous_time: day.previous_block_time ?? '',
    },
  }
}

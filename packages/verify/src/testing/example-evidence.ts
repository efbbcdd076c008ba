import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseUnits } from '@clearwell/money/decimal'
import { toHex } from '@clearwell/rules/box-draw'
import type { MembershipLevel } from '@clearwell/rules/box-power'
import { inclusionPath, leafHash } from '@clearwell/rules/box-tree'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import type { Box, DayFile } from '../day-file.mjs'
import type { Evidence } from '../verify-box.mjs'

const FILE = new URL('../../../../docs/concepts/draw-example.json', import.meta.url)

/** The day of docs/concepts/draw.md, which tests check with a shell: everything that proves one of its three boxes. */
export function exampleEvidence(index = 1): Evidence {
  const { boxes, ...header } = JSON.parse(readFileSync(FILE, 'utf8')) as DayFile
  const sha256 = (message: Uint8Array) => createHash('sha256').update(message).digest()
  const leaves = boxes.map(({ box_id: id, level, streak, fees: text }) => {
    const fees = parseUnits(text, 18) ?? 0n
    return leafHash({ day: header.day as HongKongDay, id, level: level as MembershipLevel, streak, fees }, sha256)
  })
  return {
    header,
    box: boxes[index] as Box,
    index,
    path: inclusionPath(leaves, index, sha256).map(toHex),
    boxes,
    sources: {
      pools: header.pool.map(({ asset, rewards }) => ({
        asset,
        opening: asset === 'USDT' ? '600' : rewards,
        rewards,
      })),
      sources: [{ asset: 'USDT', kind: 'swap', amount: '0.5' }],
      items: [
        { kind: 'swap', asset: 'USDT', amount: '0.2' },
        { kind: 'swap', asset: 'USDT', amount: '0.3' },
      ],
    },
    block: {
      hash: header.block_hash ?? '',
      time: header.block_time ?? '',
      previous_time: header.previous_block_time ?? '',
    },
  }
}

import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'
import { observePlatform } from './observe-platform.ts'
import { platformMetrics } from './platform-metrics.ts'

test('the counters of every node start at 0', async () => {
  const metrics = createMetrics()
  const observe = observePlatform(metrics.add(platformMetrics)).observeNode('primary 2')
  const countOf = async (outcome: string) =>
    new RegExp(`^clearwell_node_requests_total\\{node="primary 2",outcome="${outcome}"\\} (\\d+)$`, 'm').exec(
      await metrics.text(),
    )?.[1]
  const counts = () => Promise.all(['ok', 'error', 'timeout', 'unreachable'].map(countOf))
  expect(await counts()).toEqual(['0', '0', '0', '0'])
  observe('timeout', 1)
  expect(await counts()).toEqual(['0', '0', '1', '0'])
})

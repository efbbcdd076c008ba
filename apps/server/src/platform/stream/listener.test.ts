import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import { HEARTBEAT } from './frame.ts'
import { Listener, type Wire } from './listener.ts'

/** A connection whose reader reads only when the test says so. */
class FakeWire extends EventEmitter {
  readonly written: string[] = []
  end = (frame: Buffer) => void this.written.push(`end ${frame}`)
  isDestroyed = false
  writableLength = 0
  writableNeedDrain = false

  write(frame: Buffer): boolean {
    this.written.push(frame.toString())
    return !this.writableNeedDrain
  }
  destroy() {
    this.isDestroyed = true
  }
  /** The reader reads everything. */
  drain() {
    this.writableNeedDrain = false
    this.writableLength = 0
    this.emit('drain')
  }
}

let wire: FakeWire
let listener: Listener
let newest: Record<string, Buffer>
beforeEach(() => {
  wire = new FakeWire()
  newest = {}
  listener = new Listener(wire as unknown as Wire, ['pairs', 'ticker:BNBUSDT'], (channel) => newest[channel])
  listener.begin()
})

describe('a slow reader', () => {
  test('receives only the newest value of each changed channel', () => {
    wire.writableNeedDrain = true
    for (const price of ['1', '2', '3']) {
      newest.pairs = Buffer.from(`pairs ${price}`)
      listener.sendState(newest.pairs, ['pairs'])
    }
    expect(wire.written).toEqual([])
    wire.drain()
    wire.emit('drain')
    expect(wire.written).toEqual(['pairs 3'])
  })

  test('receives unskippable events up to a limit, then is disconnected', () => {
    wire.writableNeedDrain = true
    wire.writableLength = 256 * 1024 - 5
    listener.sendEvent(Buffer.from('entry'))
    expect([wire.written, wire.isDestroyed]).toEqual([['entry'], false])
    wire.writableLength = 256 * 1024
    listener.sendEvent(Buffer.from('entry'))
    expect([wire.written, wire.isDestroyed]).toEqual([['entry'], true])
    listener.sendState(Buffer.from('pairs'), ['pairs'])
    expect(wire.written).toEqual(['entry'])
  })

  test('a slow reader is disconnected after 30 seconds without progress', () => {
    listener.beat(0)
    expect(wire.written).toEqual([HEARTBEAT.toString()])
    wire.writableNeedDrain = true
    listener.beat(15_000)
    listener.beat(44_999)
    expect(wire.isDestroyed).toBe(false)
    wire.drain()
    wire.writableNeedDrain = true
    listener.beat(45_001)
    listener.beat(75_000)
    expect(wire.isDestroyed).toBe(false)
    listener.beat(75_001)
    expect(wire.isDestroyed).toBe(true)
    expect(wire.written).toHaveLength(1)
  })
})

test('a listener writes nothing after its last frame', () => {
  listener.end(Buffer.from('bye'))
  listener.end(Buffer.from('bye again'))
  listener.sendEvent(Buffer.from('entry'))
  listener.sendState(Buffer.from('pairs'), ['pairs'])
  listener.beat(0)
  expect(wire.written).toEqual(['end bye'])
})

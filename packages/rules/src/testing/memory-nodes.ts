import type { NodeStore } from '../ratio-index.ts'

/** Nodes of a ratio index in memory. It counts what is read. */
export class MemoryNodes implements NodeStore {
  readonly bodies = new Map<string, string>()
  reads = 0

  read(id: string): string | undefined {
    this.reads++
    return this.bodies.get(id)
  }

  write(changes: readonly { readonly id: string; readonly body: string }[]): void {
    for (const { id, body } of changes) this.bodies.set(id, body)
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DataFolderInUse, lockDataFolder, lockDataFolderWhenFree } from './data-folder-lock.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-lock-'))
  file = join(folder, 'lock')
})
afterEach(() => rm(folder, { recursive: true }))

const lockedBy = () => readFile(file, 'utf8')
/** The number of an exited process. The system does not reuse it soon. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid as number
}

/** A process that runs until it is killed. */
async function livingProcess(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'process.stdout.write("up"); process.stdin.resume()'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
  return child
}

describe('the data folder', () => {
  test('the data folder is created if missing and locked by this process', async () => {
    const nested = join(folder, 'not', 'there')
    const unlock = await lockDataFolder(nested)
    expect(await readFile(join(nested, 'lock'), 'utf8')).toMatch(new RegExp(`^${process.pid} \\d*$`))
    await unlock()
  })

  test('rejects a second owner and names the process that holds it', async () => {
    const unlock = await lockDataFolder(folder)
    const held = await lockedBy()
    const refused = lockDataFolder(folder)
    await expect(refused).rejects.toBeInstanceOf(DataFolderInUse)
    await expect(refused).rejects.toThrow(
      `The data folder ${folder} is in use by process ${process.pid}. End it first, or set DATA_DIR to another folder.`,
    )
    expect(await lockedBy()).toBe(held)
    await unlock()
  })

  test('a waiting process locks the data folder after its release', async () => {
    const unlock = await lockDataFolder(folder)
    const messages: string[] = []
    const waiting = lockDataFolderWhenFree(folder, { waitMs: 10_000, onWait: (text) => messages.push(text) })
    await expect.poll(() => messages).toHaveLength(1)
    await unlock()
    await (await waiting)()
    expect(messages).toEqual([`waiting up to 10 seconds for another process to release the data folder ${folder}`])
  })

  test('waiting for the data folder has a limit', async () => {
    const unlock = await lockDataFolder(folder)
    const refused = lockDataFolderWhenFree(folder, { waitMs: 50, onWait: () => {} })
    await expect(refused).rejects.toBeInstanceOf(DataFolderInUse)
    await unlock()
  })

  test('the data folder is free again after its release', async () => {
    await (await lockDataFolder(folder))()
    await expect(lockedBy()).rejects.toThrow('ENOENT')
    await (await lockDataFolder(folder))()
  })

  test('the data folder is taken over only after its owner has died', async () => {
    const holder = await livingProcess()
    const stat = await readFile(`/proc/${holder.pid}/stat`, 'utf8').catch(() => '')
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    await writeFile(file, `${holder.pid} ${started}`)
    await expect(lockDataFolder(folder)).rejects.toThrow(`in use by process ${holder.pid}`)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    const unlock = await lockDataFolder(folder)
    expect(await lockedBy()).toMatch(new RegExp(`^${process.pid} `))
    await unlock()
  })

  test('the data folder is taken over from a dead process', async () => {
    await writeFile(file, `${await deadPid()} 12345`)
    const unlock = await lockDataFolder(folder)
    expect(await lockedBy()).toMatch(new RegExp(`^${process.pid} `))
    await unlock()
  })

  test.skipIf(process.platform !== 'linux')('a lock is taken over when another process reuses its number', async () => {
    // This process is alive, but its start time differs from the owner's.
    await writeFile(file, `${process.pid} 1`)
    const unlock = await lockDataFolder(folder)
    expect(await lockedBy()).not.toBe(`${process.pid} 1`)
    await unlock()
  })

  test('rejects a lock of a live owner without a start time', async () => {
    await writeFile(file, String(process.pid))
    await expect(lockDataFolder(folder)).rejects.toThrow(`in use by process ${process.pid}`)
  })

  test.each([
    ['nothing, since its holder was killed before it could write', ''],
    ['something else', 'hello world'],
    ['a number that no process has', '99999999999 1'],
    ['a negative number', '-1 1'],
    ['zero', '0 1'],
  ])('the data folder is taken over where the lock has %s', async (_name, content) => {
    await writeFile(file, content)
    const unlock = await lockDataFolder(folder)
    expect(await lockedBy()).toMatch(new RegExp(`^${process.pid} `))
    await unlock()
  })

  test('the data folder is taken over after an abandoned takeover', async () => {
    await writeFile(file, '99999999999 1')
    const guard = join(folder, 'lock.takeover')
    await writeFile(guard, '99999999999 1')
    await utimes(guard, new Date(0), new Date(0))
    const unlock = await lockDataFolder(folder)
    expect(await lockedBy()).toMatch(new RegExp(`^${process.pid} `))
    await unlock()
  })

  test('a stale lock goes to one of several processes', async () => {
    for (let round = 0; round < 5; round++) {
      await writeFile(file, '99999999999 1')
      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataFolder(folder)))
      const got = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      expect(got).toHaveLength(1)
      for (const each of tries) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(DataFolderInUse)
      await got[0]?.()
    }
  })
})

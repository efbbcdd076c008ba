import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MemoryFS, PGlite } from '@electric-sql/pglite'

/** An archive consists of blocks of so many bytes. */
const BLOCK = 512

interface KeptFile {
  readonly path: string
  /** Absent for a folder. */
  readonly data: Uint8Array | undefined
}

/** The files of each archive that this process has read. Nothing changes them. */
const kept = new Map<string, Promise<readonly KeptFile[]>>()

/**
 * Opens a file system in memory with a copy of an archive's files. PGlite can load an archive too, but looks up five folders
 * for each of its 800 files, which takes longer than all else that opens a database.
 */
export async function copyInMemory(archive: string): Promise<MemoryFS> {
  return new CopiedFiles(await filesOf(archive))
}

/** Writes a copy of an archive's files into `folder`. To start a process that does so takes longer than to do it here. */
export async function copyIntoFolder(archive: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const { path, data } of await filesOf(archive)) {
    if (data) writeFileSync(join(folder, path), data)
    else mkdirSync(join(folder, path), { recursive: true })
  }
}

function filesOf(archive: string): Promise<readonly KeptFile[]> {
  // A slice of a Buffer, unlike one of its plain bytes, is no copy: databases would share their files.
  const reading = kept.get(archive) ?? readFile(archive).then((buffer) => filesOfTar(new Uint8Array(buffer)))
  kept.set(archive, reading)
  return reading
}

class CopiedFiles extends MemoryFS {
  readonly #files: readonly KeptFile[]

  constructor(files: readonly KeptFile[]) {
    super()
    this.#files = files
  }

  override async initialSyncFs(): Promise<void> {
    const { FS } = (this.pg as NonNullable<typeof this.pg>).Module
    const { PGDATA } = PGlite.paths
    if (!FS.analyzePath(PGDATA).exists) FS.mkdirTree(PGDATA)
    for (const { path, data } of this.#files) {
      if (data) FS.writeFile(PGDATA + path, data)
      else FS.mkdir(PGDATA + path)
    }
  }
}

/** Reads an uncompressed archive, folders before their files. */
function filesOfTar(archive: Uint8Array): KeptFile[] {
  const files: KeptFile[] = []
  const textAt = (start: number, length: number) => {
    const [text = ''] = Buffer.from(archive.subarray(start, start + length))
      .toString('latin1')
      .split('\0', 1)
    return text
  }
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const size = Number.parseInt(textAt(at + 124, 12), 8)
    const isFolder = textAt(at + 156, 1) === '5'
    const start = at + BLOCK
    files.push({
      path: textAt(at, 100).replace(/^\/?/, '/').replace(/\/$/, ''),
      data: isFolder ? undefined : archive.subarray(start, start + size),
    })
    at = start + Math.ceil(size / BLOCK) * BLOCK
  }
  return files.toSorted((a, b) => Number(a.data !== undefined) - Number(b.data !== undefined))
}

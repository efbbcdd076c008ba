import { type ChildProcess, fork } from 'node:child_process'
import { bundledProgram } from '../../scripts/bundle-programs.ts'
import type { Ready, ToServer } from './killed-messages.ts'

type Message = { readonly kind: string }

/** Starts a program that kills its own process at a position. @returns when it listens. */
export async function startKilledServer<Facts>(
  program: Parameters<typeof bundledProgram>[0],
  environment: NodeJS.ProcessEnv,
) {
  const child = fork(await bundledProgram(program), {
    env: environment,
    serialization: 'advanced',
    execArgv: ['--liftoff-only'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let stdout = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const ready = await next<Ready>(child, 'ready')
  const send = (message: ToServer) => child.send(message)
  return {
    url: ready.url,
    vault: ready.vault as `0x${string}`,
    /** Where it was killed. */
    killed: ended.then(() => /^killed (.*)$/m.exec(stdout)?.[1]),
    async arm(killAt: string | undefined) {
      const armed = next(child, 'armed')
      send({ kind: 'arm', killAt })
      await armed
    },
    facts() {
      const facts = next<Facts>(child, 'facts')
      send({ kind: 'facts' })
      return facts
    },
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function next<Found>(child: ChildProcess, kind: string): Promise<Found> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: Message) => {
      if (message.kind !== kind) return
      stop()
      resolve(message as unknown as Found)
    }
    const onClose = () => {
      stop()
      reject(new Error(`the server ended before it said ${kind}`))
    }
    const stop = () => {
      child.off('message', onMessage)
      child.off('close', onClose)
    }
    child.on('message', onMessage)
    child.once('close', onClose)
  })
}

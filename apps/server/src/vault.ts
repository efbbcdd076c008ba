import { runVault } from './operator/deploy-vault.ts'

/** `npm run vault -- deploy …` and `deploy-with-exits …`: deploy the contract that holds the custody. */
process.exitCode = await runVault(process.argv.slice(2), process.env, console)

/** The one worker of the app: it opens the app without the network, and shows what is pushed to this device. */
import './push-notices.js'
import './shell.ts'

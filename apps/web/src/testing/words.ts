import { loadFeatureWords } from '../features.ts'
import { loadWords, provideWords } from '../manifest/words.ts'

/** Loads the words of all features, as the screens that read them do. For `beforeAll` of a test that renders no screen. */
export async function loadAllWords(): Promise<void> {
  provideWords(loadFeatureWords)
  await loadWords()
}

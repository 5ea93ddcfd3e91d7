// Which past sessions there are, and where each of them worked.
import type { PastTranscripts, TranscriptFile } from '@roost/agents/base/transcripts';
import type { ProjectProblem } from '@roost/protocol/api/projects';
import { atMost } from './at-most.ts';
import { createFileMemory } from './file-memory.ts';

/** `agent`: whose it is, and who reads it. */
export type PlacedTranscript = TranscriptFile & { cwd: string; agent: string };

export type PastPlaces = { placed: PlacedTranscript[]; problems: ProjectProblem[] };

const AT_ONCE = 16;
const MOST_REMEMBERED = 100_000;

/** Each call looks anew; the folder that a transcript names is read once. A transcript without one belongs nowhere. */
export function createPastPlaces(agent: string, past: PastTranscripts, env: NodeJS.ProcessEnv): () => Promise<PastPlaces> {
	const cwds = createFileMemory(past.readCwd, MOST_REMEMBERED);
	return async () => {
		const { files, problems } = await past.find(past.folder(env));
		const placed = await atMost(AT_ONCE, files, async (file): Promise<PlacedTranscript | null> => {
			try {
				const cwd = await cwds.read(file);
				return cwd === null ? null : { ...file, cwd, agent };
			} catch (cause) {
				problems.push({ path: file.path, message: cause instanceof Error ? cause.message : String(cause) });
				return null;
			}
		});
		return { placed: placed.filter((transcript) => transcript !== null), problems };
	};
}

// Whether Claude keeps a conversation: it does from the first prompt on, and one that was killed before that has nothing to resume.
import { AppError } from '@roost/protocol/app-error';
import { transcriptLines } from '../../base/transcript-files.ts';
import { claudeProjectsFolder, findTranscripts } from '../transcript/transcript-folders.ts';

export type HasConversation = (nativeId: string) => Promise<boolean>;

const SPOKEN = /"type":"(?:user|assistant)"/;

/** What cannot be read is there: Claude itself says then why it does not go on. */
export function createHasConversation(env: NodeJS.ProcessEnv): HasConversation {
	return async (nativeId) => {
		const { files } = await findTranscripts(claudeProjectsFolder(env));
		try {
			for (const { path } of files.filter((file) => file.nativeId === nativeId))
				for await (const line of transcriptLines(path)) if (line.type !== 'line' || SPOKEN.test(line.text)) return true;
			return false;
		} catch (cause) {
			if (cause instanceof AppError) return true;
			throw cause;
		}
	};
}

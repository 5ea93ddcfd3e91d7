// The terminal UI on a runner that was reached: what is shown comes from its client, whoever's runner it is.
import type { SessionId } from '@roost/protocol/ids';
import type { Connected } from '../connect.ts';
import { runTui } from '../tui/app.ts';
import { createSource, type SourceDeps } from '../tui/data/source.ts';
import { createCopy } from '../tui/screen/clipboard.ts';
import type { LookOptions } from '../tui/screen/look.ts';

export type ShowOptions = {
	connected: Connected;
	runner?: SourceDeps['runner'];
	project: SourceDeps['project'];
	look: LookOptions;
	/** Said when it opens. */
	greeting?: string;
	/** The session to look at; else the newest of the project. */
	first?: SessionId;
};

/** Resolves when the user has left. */
export async function showTui({ connected, runner, project, look, greeting = '', first }: ShowOptions): Promise<void> {
	const { stdin, stdout, env } = process;
	const { api, openStream } = connected;
	const sentences = createSentences(greeting);
	await using source = createSource({ api, stream: openStream(), runner, project, now: Date.now, say: sentences.say });
	if (first) source.perform({ type: 'open-session', id: first });
	await runTui({
		source,
		look,
		stdout,
		stdin,
		copy: createCopy({ write: (bytes) => stdout.write(bytes), env }),
		onSentence: sentences.onSentence,
	});
}

/** Whoever has something to say is made before there is a screen to say it on. */
function createSentences(greeting: string) {
	let handler = (_sentence: string): void => {};
	return {
		say: (sentence: string) => handler(sentence),
		onSentence(next: (sentence: string) => void) {
			handler = next;
			if (greeting !== '') next(greeting);
		},
	};
}

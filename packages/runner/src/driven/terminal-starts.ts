// Sessions on their way into a terminal, until their agents report from there. One whose agent ends before that says so.
import type { SessionId } from '@roost/protocol/ids';
import type { Engine } from '../engine/engine.ts';
import type { EndedTerminal, TerminalMode } from './terminal-mode.ts';

export type TerminalStarts = Disposable & {
	/** From now on its agent is awaited there. */
	expect(id: SessionId): void;
	/** Nobody waits for it any more. */
	forget(id: SessionId): void;
};

const MOST_LINES = 3;
const LONGEST_WORDS = 400;

export function watchTerminalStarts(deps: {
	engine: Pick<Engine, 'onUpdate'>;
	terminal: Pick<TerminalMode, 'onEnd'>;
	/** Told why it did not begin. */
	onFailed: (id: SessionId, why: string) => Promise<void>;
}): TerminalStarts {
	const awaited = new Set<SessionId>();
	const offUpdate = deps.engine.onUpdate(({ sessionId, events }) => {
		if (awaited.has(sessionId) && events.some(({ kind }) => kind === 'session.start')) awaited.delete(sessionId);
	});
	const offEnd = deps.terminal.onEnd((ended) => {
		if (awaited.delete(ended.session)) void fail(ended);
	});

	async function fail({ session, exitCode, readScreen }: EndedTerminal): Promise<void> {
		const how = exitCode === null ? '' : ` with exit code ${exitCode}`;
		await deps.onFailed(session, `ended in its terminal before it began${how}${toLastWords(await readScreen())}`);
	}

	return {
		expect: (id) => void awaited.add(id),
		forget: (id) => void awaited.delete(id),
		[Symbol.dispose]() {
			offUpdate();
			offEnd();
		},
	};
}

/** What stands last on the screen is what a program says when it gives up. */
function toLastWords(screen: readonly string[]): string {
	const lines = screen.map((line) => line.trim()).filter((line) => line !== '');
	const words = lines.slice(-MOST_LINES).join(' ');
	if (words === '') return ', without a word';
	return `, saying: ${words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words}`;
}

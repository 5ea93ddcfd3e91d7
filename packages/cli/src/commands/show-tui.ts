// Runs the terminal UI on a connected runner.
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { createSource, type SourceDeps } from '@roost/client/world/source';
import { plural } from '@roost/core/display/plural';
import { AppError } from '@roost/protocol/app-error';
import type { AskId, SessionId } from '@roost/protocol/ids';
import type { ShownHub } from '../hub/connect-to-first.ts';
import { currentTarget } from '../hub/target.ts';
import { isTerminal } from '../output/ask-yes.ts';
import { unwrap } from '../output/exit.ts';
import { connectOrStartToDecide, refuseAgents, runnerProgram } from '../runner/connect.ts';
import type { Connected } from '../transport/connected.ts';
import { runTui } from '../tui/app.ts';
import { noticeWords } from '../tui/notice-words.ts';
import type { Leaving } from '../tui/pane.ts';
import { createCopy } from '../tui/screen/clipboard.ts';
import { type StyleOptions, toStyleOptions } from '../tui/screen/styles.ts';

type ShowOptions = {
	connected: Connected;
	runner?: SourceDeps['runner'];
	/** Where the runner is one of several. */
	hub?: ShownHub;
	project: SourceDeps['project'];
	styles: StyleOptions;
	/** Shown when it opens. */
	greeting?: string;
	env?: NodeJS.ProcessEnv;
	/** Defaults to the newest session of the project. */
	first?: SessionId | undefined;
	/** Decided first; with its session as `first`. */
	ask?: AskId | undefined;
};

/** Resolves when the user quits; returns from an attached terminal to its session, and opens again for another runner. */
export async function showTui(options: ShowOptions): Promise<void> {
	for (let shown = options; ; ) {
		const leaving = await showOnce(shown);
		if (leaving === undefined) return;
		shown = leaving.to === 'terminal' ? await afterTerminal(shown, leaving.session) : await atRunner(shown, leaving);
	}
}

async function afterTerminal(shown: ShowOptions, session: SessionId): Promise<ShowOptions> {
	const { attachSession } = await import('./attach.ts');
	const attached = await attachSession(shown.connected, session);
	const greeting = attached.ok ? attached.value : attached.error.message;
	return { ...shown, first: session, ask: undefined, greeting };
}

async function atRunner(shown: ShowOptions, to: Extract<Leaving, { to: 'runner' }>): Promise<ShowOptions> {
	const { hub } = shown;
	if (!hub) return shown;
	const listed = await hub.connection.client.runners.list();
	const rows = listed.ok ? listed.value : hub.rows;
	return {
		...shown,
		connected: hub.connection.to(to.runner),
		hub: { ...hub, shown: to.runner, rows },
		greeting: '',
		first: to.session,
		ask: to.ask,
	};
}

async function showOnce(options: ShowOptions): Promise<Leaving | undefined> {
	const { connected, runner, hub, project, styles, greeting = '', env = process.env, first, ask } = options;
	const { stdin, stdout } = process;
	const { api, openStream } = connected;
	const sentences = createSentences(greeting);
	await using source = createSource({
		api,
		stream: openStream(),
		toShown: connected.toShown,
		runner,
		hub: hub && { api: hub.connection.client, shown: hub.shown, rows: hub.rows },
		project,
		now: Date.now,
		exportSession: (id, file) => exportSession(id, file, env),
		notify: (notice) => sentences.say(noticeWords(notice)),
		newId: () => crypto.randomUUID(),
		pause,
	});
	if (first) source.perform({ type: 'open-session', id: first });
	return await runTui({
		source,
		styles,
		stdout,
		stdin,
		copy: createCopy({ write: (bytes) => stdout.write(bytes), env: process.env }),
		onSentence: sentences.onSentence,
		ask,
	});
}

/** With 0 only yields to the event loop, so that keys are handled. */
async function pause(ms: number): Promise<void> {
	await (ms === 0 ? nextTurn() : delay(ms, undefined, { ref: false }));
}

async function exportSession(id: SessionId, file: string | undefined, env: NodeJS.ProcessEnv): Promise<string> {
	const { exportRecord } = await import('./export-record.ts');
	const exported = await exportRecord({ session: id, out: file ?? `roost-${id}.jsonl`, env });
	return exported.ok ? `Wrote ${plural(exported.value.events, 'event')} to ${exported.value.path}.` : exported.error.message;
}

/** Sentences may come before there is a screen; the handler is set later. */
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

export async function openTui(options: { theme?: string; ascii?: boolean }): Promise<void> {
	const { env } = process;
	const styles = unwrap(toStyleOptions(options, env));
	if (!isTerminal(process)) throw new AppError('usage', NO_TERMINAL);
	const { findProject } = await import('@roost/home/project');
	const project = await findProject(process.cwd());
	const target = currentTarget();
	// The terminal UI decides requests and drives agents.
	if (target) {
		unwrap(await refuseAgents('', { start: false, face: 'tui' }));
		const { connectToFirst } = await import('../hub/connect-to-first.ts');
		return await showTui({ ...unwrap(await connectToFirst(target, env)), project, styles });
	}
	const connected = unwrap(await connectOrStartToDecide('', 'tui'));
	const { watchRunner } = await import('../runner/keep-runner-up.ts');
	await using runner = unwrap(watchRunner({ env, start: runnerProgram() }));
	await showTui({ connected, runner, project, styles });
}

const NO_TERMINAL = 'The terminal UI needs a terminal with cursor control. Use "roost feed" and "roost sessions" elsewhere.';

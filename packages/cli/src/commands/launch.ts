// roost <agent>: runs the user's own agent in this terminal, recorded and, with --enforce, gated.
import type { AgentId } from '@roost/agents/base/agent-names';
import { askTitle } from '@roost/core/views/ask-title';
import type { AskRow } from '@roost/protocol/ask';
import { ok, type Result } from '@roost/protocol/result';
import { createBell } from '../output/bell.ts';
import { unwrap } from '../output/exit.ts';
import { asTyped } from '../output/launcher.ts';
import { connectOrStart } from '../runner/connect.ts';
import type { Connected } from '../transport/connected.ts';

export async function launch(agent: AgentId, given: readonly string[], options: { enforce?: boolean }): Promise<void> {
	const { args, enforce } = takeEnforce(given, process.argv);
	let connected: Connected | undefined;
	const { launchObserved } = await import('../launch/launch-observed.ts');
	const launched = await launchObserved(agent, {
		args,
		env: process.env,
		cwd: process.cwd(),
		enforce: enforce || options.enforce === true,
		reach: async () => {
			const reached = await connectOrStart();
			if (reached.ok) connected = reached.value;
			return launchesOf(reached);
		},
		watch: ({ headless, launchId }) => watchAsks(connected, (ask) => (headless ? reportOfOwn(ask, launchId) : undefined)),
		say,
	});
	process.exitCode = unwrap(launched).exitCode;

	/** A headless agent shows no dialog, so its own requests are printed. */
	async function reportOfOwn(ask: AskRow, launchId: string): Promise<void> {
		const own = await connected?.api.launches.show({ id: launchId });
		if (own?.ok && own.value.sessionId === ask.sessionId) reportHowToAnswer(ask);
	}
}

function launchesOf(reached: Result<Connected>) {
	return reached.ok ? ok(reached.value.api.launches) : reached;
}

/** Rings the bell; the screen belongs to the agent. */
function watchAsks(connected: Connected | undefined, onWaits: (ask: AskRow) => Promise<void> | undefined): AsyncDisposable {
	const bell = createBell([process.stderr, process.stdout], process.env);
	const stream = connected?.openStream();
	stream?.onAsk((ask) => {
		if (ask.state !== 'pending') return bell.report(ask, 0);
		void onWaits(ask);
		void ringUnlessWatched(ask);
	});

	async function ringUnlessWatched(ask: AskRow): Promise<void> {
		const seen = await connected?.api.server.overview();
		bell.report(ask, seen?.ok ? seen.value.watching : 0);
	}
	return { [Symbol.asyncDispose]: async () => await stream?.[Symbol.asyncDispose]() };
}

function reportHowToAnswer(ask: AskRow): void {
	say(`${askTitle(ask)} waits for you: answer with "roost allow ${ask.id}" or "roost deny ${ask.id}".`);
}

function say(sentence: string): void {
	process.stderr.write(`roost: ${asTyped(sentence)}\n`);
}

/** `--enforce` may stand among the arguments of the agent. `raw`: the whole command line, because the parser removes a first "--". */
export function takeEnforce(args: readonly string[], raw: readonly string[]): { args: readonly string[]; enforce: boolean } {
	if (raw.at(-args.length - 1) === '--') return { args, enforce: false };
	const end = args.indexOf('--');
	const options = end < 0 ? args : args.slice(0, end);
	const kept = options.filter((arg) => arg !== '--enforce');
	return { args: [...kept, ...args.slice(options.length)], enforce: kept.length < options.length };
}

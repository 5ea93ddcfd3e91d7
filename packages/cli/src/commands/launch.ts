// The user's own agent in this terminal, with Roost as its witness and, with --enforce, its gate.
import type { AgentId } from '@roost/agents/base/agent-names';
import type { AskRow } from '@roost/protocol/ask';
import { ok, type Result } from '@roost/protocol/result';
import { createBell } from '../output/bell.ts';
import { fail } from '../output/exit.ts';
import { asTyped } from '../output/launcher.ts';
import { askTitle } from '../output/words.ts';
import { type Connected, connectOrStart } from '../runner/connect.ts';

export async function launch(agent: AgentId, args: readonly string[], options: { enforce: boolean }): Promise<void> {
	let connected: Connected | undefined;
	const { launchObserved } = await import('../launch/launch-observed.ts');
	const launched = await launchObserved(agent, {
		args,
		env: process.env,
		cwd: process.cwd(),
		enforce: options.enforce,
		reach: async () => {
			const reached = await connectOrStart();
			if (reached.ok) connected = reached.value;
			return launchesOf(reached);
		},
		watch: ({ headless, launchId }) => watchAsks(connected, (ask) => (headless ? tellOfOwn(ask, launchId) : undefined)),
		say,
	});
	if (!launched.ok) return fail(launched.error, {});
	process.exitCode = launched.value.exitCode;

	/** A headless agent shows no dialog, so its own asks are printed; those of other sessions are not. */
	async function tellOfOwn(ask: AskRow, launchId: string): Promise<void> {
		const own = await connected?.api.launches.show({ id: launchId });
		if (own?.ok && own.value.sessionId === ask.sessionId) tellHowToAnswer(ask);
	}
}

function launchesOf(reached: Result<Connected>) {
	return reached.ok ? ok(reached.value.api.launches) : reached;
}

/** Rings where this terminal can; the screen itself belongs to the agent. */
function watchAsks(connected: Connected | undefined, onWaits: (ask: AskRow) => Promise<void> | undefined): AsyncDisposable {
	const bell = createBell([process.stderr, process.stdout], process.env);
	const stream = connected?.openStream();
	stream?.onAsk((ask) => {
		if (ask.state !== 'pending') return bell.tell(ask, 0);
		void onWaits(ask);
		void ringUnlessWatched(ask);
	});

	/** Where the runner does not say, nobody looks. */
	async function ringUnlessWatched(ask: AskRow): Promise<void> {
		const seen = await connected?.api.server.overview();
		bell.tell(ask, seen?.ok ? seen.value.watching : 0);
	}
	return { [Symbol.asyncDispose]: async () => await stream?.[Symbol.asyncDispose]() };
}

function tellHowToAnswer(ask: AskRow): void {
	say(`${askTitle(ask)} waits for you: answer with "roost allow ${ask.id}" or "roost deny ${ask.id}".`);
}

function say(sentence: string): void {
	process.stderr.write(`roost: ${asTyped(sentence)}\n`);
}

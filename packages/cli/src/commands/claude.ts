// roost claude: the user's own claude in this terminal, with Roost as its witness and, with --enforce, its gate.
import type { StreamClient } from '@roost/client/stream-client';
import { ok, type Result } from '@roost/protocol/result';
import { type Connected, connectOrStart } from '../connect.ts';
import { loadClaude } from '../open-runner.ts';
import { fail } from '../output/exit.ts';
import { subjectOf } from './asks.ts';

export async function claude(args: readonly string[], options: { enforce: boolean }): Promise<void> {
	const { launchClaude } = await loadClaude();
	let connected: Connected | undefined;
	const launched = await launchClaude({
		args,
		env: process.env,
		cwd: process.cwd(),
		enforce: options.enforce,
		reach: async () => {
			const reached = await connectOrStart();
			if (reached.ok) connected = reached.value;
			return launchesOf(reached);
		},
		onHeadless: () => announceAsks(connected?.openStream()),
		say,
	});
	if (!launched.ok) return fail(launched.error, {});
	process.exitCode = launched.value.exitCode;
}

function launchesOf(reached: Result<Connected>) {
	return reached.ok ? ok(reached.value.api.launches) : reached;
}

/** A headless agent shows no dialog: the terminal rings, and says how to answer. */
function announceAsks(stream: StreamClient | undefined): AsyncDisposable {
	stream?.onAsk((ask) => {
		if (ask.state === 'pending')
			say(`\u0007${subjectOf(ask)} waits for you: answer with "roost allow ${ask.id}" or "roost deny ${ask.id}".`);
	});
	return { [Symbol.asyncDispose]: async () => await stream?.[Symbol.asyncDispose]() };
}

function say(sentence: string): void {
	process.stderr.write(`roost: ${sentence}\n`);
}

// roost claude: the user's own claude in this terminal, with Roost as its witness and, with --enforce, its gate.
import { ok } from '@roost/protocol/result';
import { connectOrStart } from '../connect.ts';
import { loadClaude } from '../open-runner.ts';
import { fail } from '../output/exit.ts';

export async function claude(args: readonly string[], options: { enforce: boolean }): Promise<void> {
	const { launchClaude } = await loadClaude();
	const launched = await launchClaude({
		args,
		env: process.env,
		cwd: process.cwd(),
		enforce: options.enforce,
		reach,
		say: (sentence) => process.stderr.write(`roost: ${sentence}\n`),
	});
	if (!launched.ok) return fail(launched.error, {});
	process.exitCode = launched.value.exitCode;
}

async function reach() {
	const connected = await connectOrStart();
	return connected.ok ? ok(connected.value.api.launches) : connected;
}

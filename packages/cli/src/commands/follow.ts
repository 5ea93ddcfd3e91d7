// roost feed --follow: the record as it grows, until Ctrl-C.
import { shouldExclude } from '@roost/core/feed/filter';
import { AppError } from '@roost/protocol/app-error';
import { type SessionId, sessionStream } from '@roost/protocol/ids';
import type { StoredLine } from '@roost/protocol/stored-line';
import { connect } from '../connect.ts';
import { EXIT, fail } from '../output/exit.ts';
import { styleFor, toFeedLine } from '../output/feed-line.ts';

export async function follow(
	id: SessionId,
	after: number,
	wanted: (kind: string) => boolean,
	options: { verbose?: boolean; json?: boolean },
): Promise<void> {
	const connected = await connect({ start: true });
	if (!connected.ok) return fail(connected.error, options);
	if (!connected.value) return fail(new AppError('cannot_start', 'No runner is up: start one with "roost up".'), options);
	const style = styleFor(process.stdout, process.env);
	const interrupted = Promise.withResolvers<void>();
	process.once('SIGINT', () => interrupted.resolve());
	await using stream = connected.value.openStream();
	stream.onStatus(({ state, reason }) => {
		if (state === 'reconnecting' || state === 'incompatible')
			process.stderr.write(`roost: ${state}: ${reason ?? 'the connection is gone'}\n`);
		if (state === 'incompatible') interrupted.resolve();
	});
	stream.follow({ stream: sessionStream(id), after }, { onLine: print });
	await interrupted.promise;
	process.exitCode = EXIT.interrupted;

	function print(line: StoredLine): void {
		if (!wanted(line.event.kind)) return;
		if (options.json) process.stdout.write(`${JSON.stringify(line)}\n`);
		else if (options.verbose || !shouldExclude(line.event)) process.stdout.write(`${toFeedLine(line.event, style)}\n`);
	}
}

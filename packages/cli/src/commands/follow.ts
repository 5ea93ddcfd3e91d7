// roost feed --follow: streams new events until Ctrl-C, as text or as stored lines byte for byte.
import type { FeedEvent } from '@roost/protocol/feed/event';
import { type SessionId, sessionStream } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import { EXIT, fail, unwrap } from '../output/exit.ts';
import { isPrinted, styleFor, toFeedText } from '../output/feed-line.ts';
import { connectOrStart } from '../runner/connect.ts';
import { openLinePrinter } from './print-lines.ts';

type Options = { verbose?: boolean; full?: boolean; json?: boolean };

export async function follow(id: SessionId, after: number, wanted: (kind: string) => boolean, options: Options): Promise<void> {
	const connected = unwrap(await connectOrStart());
	await using printer = options.json
		? unwrap(await openLinePrinter(id, after, process.stdout, wanted))
		: textPrinter(wanted, options);
	const over = Promise.withResolvers<Result<void>>();
	process.once('SIGINT', () => over.resolve(ok(undefined)));
	await using stream = connected.openStream();
	stream.onStatus(({ state, reason }) => {
		if (state === 'reconnecting' || state === 'incompatible')
			process.stderr.write(`roost: ${state}: ${reason ?? 'the connection is gone'}\n`);
		if (state === 'incompatible') over.resolve(ok(undefined));
	});
	stream.follow({ stream: sessionStream(id), after }, { onLine: ({ event }) => void show(event) });
	const ended = await over.promise;
	process.exitCode = EXIT.interrupted;
	if (!ended.ok) fail(ended.error, options);

	async function show(event: FeedEvent): Promise<void> {
		printer.more(event);
		const printed = await printer.finish();
		if (!printed.ok) over.resolve(printed);
	}
}

function textPrinter(wanted: (kind: string) => boolean, { verbose, full = false }: Options) {
	const style = { ...styleFor(process.stdout, process.env), full };
	return {
		more(event: FeedEvent) {
			if (wanted(event.kind) && (verbose || isPrinted(event))) process.stdout.write(`${toFeedText(event, style)}\n`);
		},
		finish: async () => ok(undefined),
		async [Symbol.asyncDispose]() {},
	};
}

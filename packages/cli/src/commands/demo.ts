// roost demo: scripted agents through the same engine and into the same record as real ones.
import { shouldExclude } from '@roost/core/feed/filter';
import { AppError } from '@roost/protocol/app-error';
import { loadDemo } from '../open-runner.ts';
import { calledAs } from '../output/called-as.ts';
import { EXIT, fail } from '../output/exit.ts';
import { styleFor, toFeedLine } from '../output/feed-line.ts';

export async function demo(options: { plain: boolean; speed: string }): Promise<void> {
	const speed = Number(options.speed);
	if (!Number.isFinite(speed) || speed <= 0) {
		return fail(new AppError('usage', `--speed takes a number above 0; it was "${options.speed}".`), {});
	}
	const { playDemo } = await loadDemo();
	const style = styleFor(process.stdout, process.env);
	const interrupted = new AbortController();
	process.once('SIGINT', () => interrupted.abort());
	const played = await playDemo({
		env: process.env,
		cwd: process.cwd(),
		speed,
		signal: interrupted.signal,
		onEvents: (events) => {
			for (const event of events) if (!shouldExclude(event)) process.stdout.write(`${toFeedLine(event, style)}\n`);
		},
	});
	if (!played.ok) return fail(played.error, {});
	if (interrupted.signal.aborted) process.exitCode = EXIT.interrupted;
	const id = played.value.sessionId;
	const roost = calledAs();
	process.stdout.write(
		`\nOn record as session ${id}. See it again:\n  ${roost} feed ${id}\n  ${roost} feed ${id} --json\n  ${roost} verify ${id}\n`,
	);
}

// roost doctor: diagnoses problems on this machine and suggests fixes.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { EXIT } from '../output/exit.ts';
import { asTyped } from '../output/launcher.ts';
import { wrap } from '../output/table.ts';
import { runnerProgram } from '../runner/connect.ts';

export async function doctor(options: { json?: boolean }): Promise<void> {
	const { examine } = await import('../doctor/examine.ts');
	using progress = createProgress();
	const findings: Finding[] = [];
	for await (const finding of examine({ env: process.env, cwd: process.cwd(), runner: runnerProgram() }, progress.begin)) {
		progress.clear();
		findings.push(finding);
		if (!options.json) process.stdout.write(`${toLines(finding, process.stdout.columns ?? WIDTH).join('\n')}\n`);
	}
	progress.clear();
	const failed = findings.filter(({ state }) => state === 'fail').length;
	if (options.json) process.stdout.write(`${JSON.stringify({ ok: failed === 0, findings })}\n`);
	else process.stdout.write(`\n${verdict(failed, findings.filter(({ state }) => state === 'warn').length)}\n`);
	if (failed > 0) process.exitCode = EXIT.failed;
}

type Finding = { check: string; state: 'ok' | 'warn' | 'fail'; says: string; remedy?: string };

const WIDTH = 80;
const MARK: Record<Finding['state'], string> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' };
const NAME_WIDTH = 'permissions'.length;

function toLines({ check, state, says, remedy }: Finding, width: number): string[] {
	const head = `${MARK[state]}  ${check.padEnd(NAME_WIDTH)}  `;
	const indent = ' '.repeat(head.length);
	const [first = '', ...rest] = wrap(sanitiseLine(says), width - head.length);
	const advice = remedy === undefined ? [] : wrap(`→ ${sanitiseLine(asTyped(remedy))}`, width - head.length);
	return [head + first, ...[...rest, ...advice].map((line) => indent + line)];
}

function verdict(failed: number, warned: number): string {
	const warnings = warned === 0 ? '' : `\n${warned} ${warned === 1 ? 'warning' : 'warnings'}.`;
	if (failed === 0) return `No problems found.${warnings}`;
	return `${failed} ${failed === 1 ? 'problem' : 'problems'} found. Follow the arrows, then run this again.${warnings}`;
}

/** On a terminal, names what is being checked once it takes longer than a second. */
function createProgress() {
	const stream = process.stderr;
	let timer: NodeJS.Timeout | undefined;
	let shown = false;
	const clear = () => {
		clearTimeout(timer);
		if (shown) stream.write('\r\x1b[K');
		shown = false;
	};
	return {
		begin(name: string): void {
			clear();
			if (!stream.isTTY) return;
			timer = setTimeout(() => {
				shown = true;
				stream.write(`checking ${name} …`);
			}, 1_000);
		},
		clear,
		[Symbol.dispose]: clear,
	};
}

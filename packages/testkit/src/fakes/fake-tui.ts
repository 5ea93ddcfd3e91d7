// A terminal program that behaves like an agent's own, well or badly, as scripted in its one argument. Run it as a program.
import { appendFileSync, existsSync } from 'node:fs';

export type FakeTuiScenario = {
	/** Where it records its input: one line of JSON for each prompt and each key in a dialog. */
	log: string;
	/** Delay before the first output. */
	slowMs?: number;
	/** Dialogs before the first prompt, each answered by Enter. */
	dialogs?: readonly string[];
	/** The first dialog returns forever. */
	dialogsReturn?: boolean;
	/** A start-up dialog that appears after the first prompt. */
	lateDialog?: string;
	/** Pause without output after a dialog. */
	gapMs?: number;
	/** How often a dialog ignores a key. */
	deafDialogs?: number;
	/** How many pastes, or Enters after a paste, are lost. */
	swallowPastes?: number;
	swallowEnters?: number;
	/** How long it works on a prompt. */
	workMs?: number;
	/** It works on its first prompt until this file exists. */
	worksUntil?: string;
	/** A failure at the start. */
	start?: 'crash' | 'hang' | 'garbage' | 'unknown dialog';
	/** It exits in the middle of its first turn. */
	exitInTurn?: boolean;
	/** In the middle of a turn it shows a dialog for people. */
	askInTurn?: boolean;
};

const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';

type Screen = 'blank' | 'dialog' | 'ready' | 'working' | 'asking';

export function runFakeTui(scenario: FakeTuiScenario): void {
	let screen: Screen = 'blank';
	let input = '';
	let turns = 0;
	let { swallowPastes = 0, swallowEnters = 0, deafDialogs = 0 } = scenario;
	const dialogs = [...(scenario.dialogs ?? [])];
	const texts: string[] = [];
	const note = (what: object) => appendFileSync(scenario.log, `${JSON.stringify(what)}\n`);

	function draw(): void {
		const rule = '─'.repeat(40);
		const bottom: Record<Screen, string[]> = {
			blank: [],
			dialog: [`DIALOG ${dialogs[0] ?? ''}`, '  > Yes', '    No'],
			ready: [
				rule,
				`READY> ${input.includes('\n') ? `[pasted ${input.split('\n').length} lines]` : input}`,
				rule,
				'  ? for help',
			],
			working: [rule, 'WORKING', rule, '  esc to interrupt'],
			asking: [rule, 'MAY I? ', '  > Yes', rule],
		};
		const lines = screen === 'blank' || screen === 'dialog' ? bottom[screen] : ['Fake agent', ...texts, ...bottom[screen]];
		process.stdout.write(`\u001b[2J\u001b[H${lines.join('\r\n')}`);
	}

	function show(next: Screen): void {
		screen = next;
		draw();
	}

	function answerDialog(): void {
		if (deafDialogs-- > 0) return;
		note({ answered: dialogs[0] });
		if (dialogs[0] === scenario.lateDialog) {
			work();
			return;
		}
		if (!scenario.dialogsReturn) dialogs.shift();
		show('blank');
		setTimeout(() => show(dialogs.length > 0 ? 'dialog' : 'ready'), scenario.gapMs ?? 20);
	}

	function submit(): void {
		if (input === '') return;
		if (swallowEnters-- > 0) return;
		note({ prompt: input });
		texts.push(...input.split('\n').map((line) => `you: ${line}`));
		input = '';
		turns++;
		if (scenario.lateDialog !== undefined && turns === 1) {
			dialogs.unshift(scenario.lateDialog);
			show('dialog');
			return;
		}
		work();
	}

	function work(): void {
		show('working');
		if (scenario.exitInTurn && turns === 1) {
			process.stdout.write('\r\nsomething broke in the middle\r\n');
			process.exit(9);
		}
		finishLater(scenario.workMs ?? 200);
	}

	function finishLater(ms: number): void {
		setTimeout(() => {
			if (turns === 1 && scenario.worksUntil !== undefined && !existsSync(scenario.worksUntil)) return finishLater(ms);
			const next = scenario.askInTurn ? 'asking' : 'ready';
			if (next === 'ready') texts.push('agent: done');
			show(next);
		}, ms);
	}

	function paste(text: string): void {
		if (screen !== 'ready' || swallowPastes-- > 0) return;
		input += text;
		draw();
	}

	function key(bytes: string): void {
		if (screen === 'asking') note({ key: bytes });
		else if (bytes !== '\r' && bytes !== '\n') paste(bytes);
		else if (screen === 'dialog') answerDialog();
		else if (screen === 'ready') submit();
	}

	process.stdin.setRawMode(true);
	process.stdin.setEncoding('utf8');
	let pending = '';
	process.stdin.on('data', (chunk: string) => {
		pending += chunk;
		while (pending !== '') {
			const end = pending.indexOf(PASTE_END);
			if (!pending.startsWith(PASTE_START)) {
				key(pending[0] ?? '');
				pending = pending.slice(1);
			} else if (end < 0) return;
			else {
				paste(pending.slice(PASTE_START.length, end));
				pending = pending.slice(end + PASTE_END.length);
			}
		}
	});
	process.stdout.write('\u001b[?2004h');
	setTimeout(() => begin(scenario, show), scenario.slowMs ?? 0);
}

function begin({ start, dialogs = [] }: FakeTuiScenario, show: (screen: Screen) => void): void {
	if (start === 'crash') {
		process.stdout.write('cannot read its settings\r\n');
		process.exit(3);
	}
	if (start === 'garbage')
		process.stdout.write('\u001b[31m%%%\u0007\u001b]0;x\u0007\ufffd\ufffd READ Y> \u001b[5;5Hxx\u001b[999C\u001b[1A');
	else if (start === 'unknown dialog') process.stdout.write('Do you accept the new terms? [y/N]');
	else if (start !== 'hang') show(dialogs.length > 0 ? 'dialog' : 'ready');
}

if (import.meta.main && process.argv[2] !== undefined) runFakeTui(JSON.parse(process.argv[2]));

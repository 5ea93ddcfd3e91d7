// One screen of the terminal UI drawn from facts at a fixed time, and compared with a golden file.
import { join } from 'node:path';
import { drawFrame, type Scene } from '@roost/cli/tui/frame';
import { createPainter } from '@roost/cli/tui/screen/painter';
import { createStyles, type ThemeName } from '@roost/cli/tui/screen/styles';
import { goldenText } from '../record/feed-golden.ts';
import { createVirtualTerminal, type VirtualTerminal } from '../terminal/virtual-terminal.ts';

export type SceneOptions = { columns?: number; rows?: number; ascii?: boolean; theme?: ThemeName; colour?: boolean };

/** The sizes in which every view and dialog is tested. */
export const SCENE_SIZES = [
	{ columns: 80, rows: 24 },
	{ columns: 120, rows: 40 },
	{ columns: 200, rows: 60 },
] as const;

export async function drawScene(scene: Scene, options: SceneOptions = {}): Promise<VirtualTerminal> {
	const { columns = 80, rows = 24, ascii = false, theme = 'dark', colour = true } = options;
	const terminal = createVirtualTerminal({ columns, rows });
	const { lines, cursor } = drawFrame(scene, { columns, rows }, createStyles({ theme, colour, ascii }));
	createPainter(terminal.write).paint(lines, cursor);
	await terminal.settled();
	return terminal;
}

const GOLDENS = join(import.meta.dirname, '..', '..', '..', '..', 'cli', 'src', 'tui', 'goldens');

/** Compares the screen with `goldens/<name>-<columns>x<rows>[-ascii].txt`. */
export function goldenScreen(name: string, terminal: VirtualTerminal, { ascii = false }: SceneOptions = {}): string {
	const { columns, rows } = terminal.size();
	return goldenText(join(GOLDENS, `${name}-${columns}x${rows}${ascii ? '-ascii' : ''}.txt`), terminal.text());
}

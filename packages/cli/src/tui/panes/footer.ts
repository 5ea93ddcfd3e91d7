// The last line: where we are and the keys that help most here, as many as fit, each of them whole.
import { GLOBAL } from '../keys/keymap.ts';
import { type Row, row, rowWidth, span } from '../screen/row.ts';
import { paneFor } from '../shell/panes.ts';
import { focusOf, type Shell } from '../shell/shell.ts';

export function footerRow(shell: Shell, width: number): Row {
	const pane = paneFor(focusOf(shell), shell.panes);
	const hints = [...pane.keys, ...(pane.takesText() ? [] : GLOBAL)].filter(({ hint }) => hint);
	let shown = row(span(` ${pane.title} `, 'title'));
	for (const { keys, help } of hints) {
		const next = [...shown, span(` ${keys[0]}`, 'key'), span(` ${help} `, 'faint')];
		// The space behind the last one may be cut.
		if (rowWidth(next) - 1 > width) break;
		shown = next;
	}
	return shown;
}

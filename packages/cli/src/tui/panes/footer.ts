// The last line: where we are and the keys that help most here, as many as fit, each of them whole.
import { type Binding, GLOBAL } from '../keys/keymap.ts';
import { type Row, row, rowWidth, span } from '../screen/row.ts';
import { paneFor } from '../shell/panes.ts';
import { focusOf, type Shell } from '../shell/shell.ts';

export function footerRow(shell: Shell, width: number): Row {
	const pane = paneFor(focusOf(shell), shell.panes);
	const title = row(span(` ${pane.title} `, 'title'));
	const everywhere = pane.takesText() ? [] : hintsOf(GLOBAL);
	// The key that tells all others always has its place.
	const [help = []] = everywhere;
	const own = fitHints(title, hintsOf(pane.keys), width - rowWidth(help));
	return fitHints(own, everywhere, width);
}

function hintsOf(bindings: readonly Binding[]): Row[] {
	return bindings.flatMap(({ keys, help, hint }) => {
		const words = typeof hint === 'string' ? hint : help;
		return hint && words ? [row(span(` ${keys[0]}`, 'key'), span(` ${words} `, 'faint'))] : [];
	});
}

function fitHints(before: Row, hints: readonly Row[], width: number): Row {
	let shown = before;
	for (const hint of hints) {
		// The space behind the last one may be cut.
		if (rowWidth(shown) + rowWidth(hint) - 1 > width) break;
		shown = [...shown, ...hint];
	}
	return shown;
}

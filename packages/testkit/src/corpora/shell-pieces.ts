// Pieces of random shell lines: two commands, one harmless and one that must never run, and the whole grammar.

/** Pieces without spaces. */
const SHORT =
	String.raw`; && || | & ( ) $( ${'`'} " ' \ <( >( 1 2 {x} &> > < <<< # $ ${'${'}x:- ${'${'}x:= } $(( )) $[ ] a[ ${'${'}! @P} $'
	x= x = * ? ! 2>&1 /dev/null , ~ $x -eq \x3b \n ${'${'} $((x)) |& ((x)) ${'${'}a[x]} ${'${'}y:x} a=([x]=1) a[x]=1`.split(/\s+/);

const SPACED = [
	...[' ', ' ', '\n', '{ ', '; }', '<<E\n', '\nE\n', '[[ ', ' ]]', 'if ', '; then ', '; fi', 'for i in ', '; do ', '; done'],
	...[
		'case x in x) ',
		';; esac',
		'time ',
		'eval ',
		'\\\n',
		'\t',
		'f() ',
		'coproc ',
		'<<-E\n',
		' -v ',
		' -i ',
		' -a ',
		'[ ',
		' ] ',
	],
	...['test ', 'read ', 'let ', 'declare ', 'printf ', 'unset ', 'export ', '; '],
];

export function shellPieces(safe: string, canary: string): string[] {
	const commands = [safe, `${safe} x`, safe, canary, canary, `'a[$(${canary})]'`, `x='a[$(${canary})]';`];
	return [...commands, ...SHORT, ...SPACED];
}

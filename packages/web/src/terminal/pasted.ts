// Text for a terminal from the clipboard.

/** A sequence in it could end the paste early and run the rest as commands, so only tabs and line ends stay. */
export function toPasted(text: string): string {
	return text.replaceAll(/(?![\t\r\n])\p{Cc}/gu, '');
}

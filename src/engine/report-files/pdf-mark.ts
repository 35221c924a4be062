/** Marks of drawings and plots on a page of a PDF. */
import type { Mark } from '#report-layout/figure.ts';
import { COLOURS } from './html.ts';
import type { Sheet } from './pdf-sheet.ts';

/** One mark of a drawing or plot. */
export function drawMark(sheet: Sheet, mark: Mark): void {
  const { pdf } = sheet;
  if (mark.mark === 'code') {
    pdf.rect(mark.x, mark.y, mark.size, mark.size).fill('#ffffff');
    pdf.path(mark.path).fill('#000000');
    return;
  }
  const colour = COLOURS[mark.ink][0];
  if (mark.mark === 'text') {
    const text = sheet.type.printable(mark.text.replaceAll('\n', ' '));
    const width = sheet.type.widthOf(text, mark.size);
    pdf.fillColor(colour);
    sheet.line(
      text,
      mark.x - (mark.anchor === 'end' ? width : mark.anchor === 'middle' ? width / 2 : 0),
      mark.y,
      mark.size,
    );
    return;
  }
  pdf.save().lineWidth(1.2).strokeColor(colour);
  if (mark.dash !== undefined) pdf.dash(mark.dash[0], { space: mark.dash[1] });
  if (mark.mark === 'rect') pdf.rect(mark.x, mark.y, mark.width, mark.height);
  else if (mark.mark === 'circle') pdf.circle(mark.x, mark.y, mark.r);
  else {
    const [[x, y] = [0, 0], ...rest] = mark.points;
    pdf.moveTo(x, y);
    for (const [nextX, nextY] of rest) pdf.lineTo(nextX, nextY);
    if (mark.closed === true) pdf.closePath();
  }
  if (mark.filled === true) pdf.fillOpacity(0.3).fillAndStroke(colour, colour);
  else pdf.stroke();
  pdf.restore();
}

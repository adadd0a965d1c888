// Marks members of a body by their number, one bit each: a body may have millions of them.

const FIRST_BYTES = 128;
/** More is not kept from one body to the next. */
const KEPT_BYTES = 8192;

export class MemberFlags {
  private bits = new Uint8Array(FIRST_BYTES);
  /** Whether any member is marked. */
  any = false;

  clear(): void {
    if (!this.any) return;
    this.any = false;
    if (this.bits.length > KEPT_BYTES) this.bits = new Uint8Array(FIRST_BYTES);
    else this.bits.fill(0);
  }

  add(member: number): void {
    const at = member >>> 3;
    if (at >= this.bits.length) this.grow(at + 1);
    this.bits[at] = (this.bits[at] as number) | (1 << (member & 7));
    this.any = true;
  }

  has(member: number): boolean {
    return ((this.bits[member >>> 3] ?? 0) & (1 << (member & 7))) !== 0;
  }

  private grow(sizeBytes: number): void {
    const bits = new Uint8Array(Math.max(sizeBytes, this.bits.length * 2));
    bits.set(this.bits);
    this.bits = bits;
  }
}

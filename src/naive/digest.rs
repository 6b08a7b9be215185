//! SHA-256 (FIPS 180-4).

/// The first 32 bits of the fractional parts of the roots of the first primes.
fn fractions<const N: usize>(root: fn(f64) -> f64) -> [u32; N] {
    let mut primes = (2..).filter(|n: &u32| (2..*n).all(|divisor| !n.is_multiple_of(divisor)));
    std::array::from_fn(|_| (root(primes.next().map_or(0.0, f64::from)).fract() * 2_f64.powi(32)) as u32)
}

/// Returns the digest of a text as 64 hexadecimal digits.
pub(crate) fn sha256(text: &str) -> String {
    let rounds: [u32; 64] = fractions(f64::cbrt);
    let mut state: [u32; 8] = fractions(f64::sqrt);
    let mut message = text.as_bytes().to_vec();
    message.push(0x80);
    message.resize((message.len() + 8).next_multiple_of(64) - 8, 0);
    message.extend((text.len() as u64 * 8).to_be_bytes());
    for block in message.chunks_exact(64) {
        let mut words = [0_u32; 64];
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
        }
        let mix = |x: u32, a, b, last| x.rotate_right(a) ^ x.rotate_right(b) ^ last;
        for at in 16..64 {
            let (early, late) = (words[at - 15], words[at - 2]);
            let (early, late) = (mix(early, 7, 18, early >> 3), mix(late, 17, 19, late >> 10));
            words[at] = words[at - 16].wrapping_add(early).wrapping_add(words[at - 7]).wrapping_add(late);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for (word, round) in words.into_iter().zip(rounds) {
            let one = [mix(e, 6, 11, e.rotate_right(25)), (e & f) ^ (!e & g), round, word];
            let one = one.into_iter().fold(h, u32::wrapping_add);
            let two = mix(a, 2, 13, a.rotate_right(22)).wrapping_add((a & b) ^ (a & c) ^ (b & c));
            (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(one), c, b, a, one.wrapping_add(two));
        }
        for (old, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *old = old.wrapping_add(new);
        }
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

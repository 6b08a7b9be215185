//! SHA-256 (FIPS 180-4), by which a certificate tells what text it was made from. No verdict depends on it.

/// The digest of `text` in 64 hexadecimal digits.
pub fn sha256(text: &str) -> String {
    let (initial, rounds) = constants();
    let mut message = text.as_bytes().to_vec();
    let bits = (message.len() as u64).wrapping_mul(8);
    message.push(0x80);
    message.resize((message.len() + 8).next_multiple_of(64) - 8, 0);
    message.extend(bits.to_be_bytes());
    let mut state = initial;
    for chunk in message.chunks_exact(64) {
        let mut w = [0_u32; 64];
        for (word, bytes) in w.iter_mut().zip(chunk.chunks_exact(4)) {
            *word = bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
        }
        for i in 16..64 {
            let (a, b) = (w[i - 15], w[i - 2]);
            let a = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
            let b = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
            w[i] = w[i - 16].wrapping_add(a).wrapping_add(w[i - 7]).wrapping_add(b);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for (word, round) in w.into_iter().zip(rounds) {
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = (e & f) ^ (!e & g);
            let t1 = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(round).wrapping_add(word);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let majority = (a & b) ^ (a & c) ^ (b & c);
            (h, g, f, e) = (g, f, e, d.wrapping_add(t1));
            (d, c, b, a) = (c, b, a, t1.wrapping_add(s0).wrapping_add(majority));
        }
        for (word, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *word = word.wrapping_add(new);
        }
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

/// The first 32 bits of the fractions of the square roots of the first 8 primes, and of the cube roots of the
/// first 64.
fn constants() -> ([u32; 8], [u32; 64]) {
    let mut primes = (2_u128..).filter(|n| (2..*n).all(|d| n % d != 0));
    let (mut squares, mut cubes) = ([0; 8], [0; 64]);
    for (index, cube) in cubes.iter_mut().enumerate() {
        let prime = primes.next().unwrap_or(2);
        if let Some(square) = squares.get_mut(index) {
            *square = root(prime << 64, 2);
        }
        *cube = root(prime << 96, 3);
    }
    (squares, cubes)
}

/// The integer root, without the bits above the lowest 32.
fn root(of: u128, degree: u32) -> u32 {
    let mut root = 0_u128;
    for bit in (0..40).rev() {
        let candidate = root | 1 << bit;
        if candidate.checked_pow(degree).is_some_and(|power| power <= of) {
            root = candidate;
        }
    }
    root as u32
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn digests_of_the_standard() {
        let expected = [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
        ];
        for (text, digest) in expected {
            assert_eq!(sha256(text), digest);
        }
    }
}

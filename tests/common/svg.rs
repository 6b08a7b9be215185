//! Checks that apply to every SVG picture.

use ramsey::report::picture::width;

fn number(attributes: &str, name: &str) -> i32 {
    let from = attributes.find(&format!(" {name}=\"")).expect("the attribute") + name.len() + 3;
    attributes[from..].split('"').next().expect("a value").parse().expect("a number")
}

fn plain(text: &str) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// Checks that tags are balanced, attributes quoted, `&` begins an entity, and all text is inside the view box.
pub fn check_svg(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    let (w, h) = (number(svg, "width"), number(svg, "height"));
    let mut texts = 0;
    // Boxes have the same positions in all states.
    type Place = (i32, i32);
    let mut panels: Vec<(Place, Vec<Place>)> = Vec::new();
    while let Some(at) = rest.find('<') {
        let text = &rest[..at];
        assert!(!text.contains('>'), "a bare `>`: {text}");
        for (at, _) in text.match_indices('&') {
            let entities = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
            assert!(entities.iter().any(|it| text[at..].starts_with(it)), "{text}");
        }
        let end = at + rest[at..].find('>').expect("a tag ends");
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.split([' ', '/']).next().expect("a name");
        if tag.contains("class=\"panel\"") {
            panels.push(((number(tag, "x"), number(tag, "y")), Vec::new()));
        }
        if tag.contains("class=\"n s")
            && let Some(((left, top), boxes)) = panels.last_mut()
        {
            boxes.push((number(tag, "x") - *left, number(tag, "y") - *top));
        }
        if name == "text" {
            let content = plain(rest.split('<').next().expect("text"));
            let (x, y) = (number(tag, "x"), number(tag, "y"));
            assert!(x >= 0 && y >= 13 && x + width(&content) <= w && y + 4 <= h, "clipped: {content}");
            texts += 1;
        }
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty() && texts > 0);
    assert!(svg.contains("role=\"img\"") && svg.contains("<desc") && svg.contains("prefers-color-scheme"));
    for two in panels.windows(2) {
        let places = two[0].1.iter().zip(&two[1].1);
        assert!(places.clone().all(|(a, b)| a == b), "boxes move: {:?}", places.collect::<Vec<_>>());
    }
}

//! Checks that apply to every SVG picture.

use ramsey::report::picture::width;

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let from = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    tag[from..].split('"').next()
}

fn number(tag: &str, name: &str) -> i32 {
    attribute(tag, name).expect("the attribute").parse().expect("a number")
}

fn plain(text: &str) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// Position of a box relative to its state, and the box's width and height.
type Place = (i32, i32, i32, i32);

/// What a picture contains.
#[derive(Debug, Default)]
pub struct Contents {
    /// The positions of the boxes by state.
    pub boxes: Vec<Vec<Place>>,
    /// All ids.
    pub ids: Vec<String>,
    /// The facts.
    pub facts: Vec<String>,
}

/// Checks a picture in a file, and returns its contents.
pub fn check_svg(svg: &str) -> Contents {
    assert!(svg.contains("role=\"img\"") && svg.contains("prefers-color-scheme"), "{svg}");
    assert!(!svg.contains("role=\"button\""), "nothing can be pressed in a file");
    check(svg)
}

/// Checks the picture of a state that is to be embedded, and returns its contents.
pub fn check_embedded(svg: &str, prefix: &str) -> Contents {
    assert!(!svg.contains("<style") && !svg.contains(" style="), "style in {svg}");
    let contents = check(svg);
    assert!(contents.ids.iter().all(|id| id.starts_with(prefix)), "{:?}", contents.ids);
    contents
}

/// Checks that tags are balanced, attributes quoted, `&` begins an entity, ids are unique and defined where they are
/// used, all text is inside the view box, and boxes do not overlap and have the same positions in all states.
fn check(svg: &str) -> Contents {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    let (w, h) = (number(svg, "width"), number(svg, "height"));
    assert!(svg.contains(&format!("viewBox=\"0 0 {w} {h}\"")) && svg.contains("<desc"));
    let mut contents = Contents::default();
    let (mut texts, mut origin) = (0, (0, 0));
    let mut used: Vec<String> = Vec::new();
    while let Some(at) = rest.find('<') {
        let text = &rest[..at];
        assert!(open.last() == Some(&"style") || !text.contains('>'), "a bare `>`: {text}");
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
        contents.ids.extend(attribute(tag, "id").map(str::to_owned));
        contents.facts.extend(attribute(tag, "data-fact").map(plain));
        used.extend(
            attribute(tag, "aria-labelledby").iter().flat_map(|ids| ids.split(' ')).map(str::to_owned),
        );
        let marker = attribute(tag, "marker-end").and_then(|it| it.strip_prefix("url(#")?.strip_suffix(')'));
        used.extend(marker.map(str::to_owned));
        match attribute(tag, "class") {
            Some("panel") => {
                origin = (number(tag, "x"), number(tag, "y"));
                contents.boxes.push(Vec::new());
            }
            Some("frame") => {
                let (x, y) = (number(tag, "x") - origin.0, number(tag, "y") - origin.1);
                if contents.boxes.is_empty() {
                    contents.boxes.push(Vec::new());
                }
                let here = contents.boxes.last_mut().expect("a state");
                here.push((x, y, number(tag, "width"), number(tag, "height")));
            }
            _ => {}
        }
        if name == "text" {
            let content = plain(rest.split('<').next().expect("text"));
            let (x, y) = (number(tag, "x"), number(tag, "y"));
            assert!(x >= 0 && y >= 11 && x + width(&content) <= w && y + 4 <= h, "clipped: {content}");
            texts += 1;
        }
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty() && texts > 0);
    let mut ids = contents.ids.clone();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), contents.ids.len(), "an id is used twice: {:?}", contents.ids);
    assert!(used.iter().all(|id| ids.contains(id)), "unknown ids among {used:?}");
    for two in contents.boxes.windows(2) {
        assert_eq!(two[0], two[1], "boxes move");
    }
    for boxes in &contents.boxes {
        for (at, &(x, y, w, h)) in boxes.iter().enumerate() {
            let meets = |&(u, v, a, b): &Place| x < u + a && u < x + w && y < v + b && v < y + h;
            assert!(!boxes[..at].iter().any(meets), "boxes overlap: {boxes:?}");
        }
    }
    contents
}

// The audit: the table of claims as a whole, and the page it is shown on.
#include "phasor/course/audit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/course/figures.hpp"
#include "phasor/figure/write.hpp"
#include "tests/figure/sample.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

Claim claim(const std::string& id, Verdict verdict, const std::string& lab = "lab01") {
  return {id,  "D0, D3", "a <statement>",
          lab, "sample", [=](const Evidence&) {
            return Finding{verdict, "measured & found."}; }};
}

TEST(Audit, EveryClaimIsComplete) {
  std::set<std::string> ids;
  for (const Claim& one : claims()) {
    EXPECT_TRUE(ids.insert(one.id).second) << one.id << " is there twice";
    EXPECT_FALSE(one.document.empty()) << one.id;
    ASSERT_FALSE(one.statement.empty()) << one.id;
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(one.statement[0]))) << one.id;
    EXPECT_TRUE(one.lab.starts_with("lab") && one.lab.size() == 5) << one.id;
    EXPECT_TRUE(one.figure.starts_with(one.lab)) << one.id << " shown by " << one.figure;
    EXPECT_TRUE(one.measure) << one.id;
  }
}

/// Claims that take no trained model, and what those say that find none.
TEST(Audit, FindingsAreSentencesAndConditionsComeFirst) {
  for (const Claim& one : claims()) {
    const Finding finding = audited(one, {.results = "/nowhere"}).finding;
    if (finding.verdict == Verdict::kNotMeasured) continue;
    const std::string& text = finding.measured;
    EXPECT_FALSE(std::islower(static_cast<unsigned char>(text[0]))) << one.id << ": " << text;
    EXPECT_TRUE(text.ends_with('.')) << one.id << ": " << text;
    EXPECT_EQ(text.starts_with("Only if "), finding.verdict == Verdict::kHoldsIf)
        << one.id << ": " << text;
  }
}

TEST(Audit, EveryFigureOfTheDocumentsNamesItsLab) {
  for (const FigureEntry& entry : figures_of_documents()) {
    EXPECT_EQ(entry.id.size() >= 4 && entry.id[0] == 'D', true) << entry.id;
    EXPECT_TRUE(entry.lab.starts_with("lab") && entry.lab.size() == 5) << entry.id;
    EXPECT_FALSE(entry.title.empty()) << entry.id;
  }
}

TEST(Audit, AMeasurementThatFailsEndsNothing) {
  Claim broken = claim("D0-broken", Verdict::kHolds);
  broken.measure = [](const Evidence&) -> Finding { throw DataError("the run is damaged"); };
  const AuditedClaim result = audited(broken, {});
  EXPECT_EQ(result.finding.verdict, Verdict::kNotMeasured);
  EXPECT_EQ(result.finding.measured, "the run is damaged");
}

/// A learner's function may throw anything; only a lack of memory is not about one claim.
TEST(Audit, ALearnersExceptionIsNotMeasuredEither) {
  Claim broken = claim("D0-broken", Verdict::kHolds);
  broken.measure = [](const Evidence&) -> Finding { throw std::out_of_range("row 7"); };
  EXPECT_EQ(audited(broken, {}).finding.verdict, Verdict::kNotMeasured);
  EXPECT_EQ(audited(broken, {}).finding.measured, "row 7");
  broken.measure = [](const Evidence&) -> Finding { throw std::bad_alloc(); };
  EXPECT_THROW(audited(broken, {}), std::bad_alloc);
}

/// Five claims, and a page of them beside the figure of lab01.
class ClaimsPage : public ::testing::Test {
 protected:
  ClaimsPage()
      : claims_{claim("D0-one", Verdict::kHolds), claim("D0-two", Verdict::kFails),
                claim("D0-three", Verdict::kHoldsIf), claim("D0-four", Verdict::kHolds),
                claim("D0-five", Verdict::kNotMeasured, "lab09")} {
    for (const Claim& one : claims_) audit_.push_back(audited(one, {}));
  }
  std::string page(const fs::path& file) {
    write_claims_page(audit_, folder_.path() / "out", file);
    return read_file(file);
  }
  test::TemporaryFolder folder_;
  std::vector<Claim> claims_;
  std::vector<AuditedClaim> audit_;
};

TEST_F(ClaimsPage, CountsVerdicts) {
  EXPECT_EQ(totals_in_words(audit_), "2 hold, 1 hold with a condition, 1 fail, 1 not measured");
}

TEST_F(ClaimsPage, ShowsEveryClaimWithVerdictAndFigure) {
  write_figure(test::sample_figure(), folder_.path() / "out/lab01");
  const std::string html = page(folder_.path() / "out/claims.html");
  std::size_t place = 0;
  for (const char* part :
       {"<html lang=\"en\">", "2 hold, 1 hold with a condition", "href=\"#D0-five\"",
        "<h2>Claims that lab01 shows</h2>", "id=\"D0-one\"", "a &lt;statement&gt;</h3>", "D0, D3",
        "class=\"verdict holds\">holds</span>: measured &amp; found.</p>",
        "src=\"lab01/sample.svg\"", "alt=\"Alt text: &quot;quoted&quot;",
        "class=\"verdict fails\">fails", "class=\"verdict partly\">holds only if",
        "<h2>Claims that lab09 shows</h2>", "not measured yet",
        "once it has been run: labs/run 09"}) {
    place = html.find(part, place);
    ASSERT_NE(place, std::string::npos) << part;
  }
  EXPECT_EQ(html.find("http"), std::string::npos);  // nothing is fetched
  EXPECT_EQ(html.find(folder_.path().string()), std::string::npos);
}

TEST_F(ClaimsPage, TellsClaimsOfPapersFromThoseOfDocuments) {
  EXPECT_NE(page(folder_.path() / "page.html").find("Of 5 claims 2 hold"), std::string::npos);
  claims_[1].document = "Press et al. 2021";
  EXPECT_NE(page(folder_.path() / "page.html").find("Of 5 claims, 1 of them of papers, 2 hold"),
            std::string::npos);
}

TEST_F(ClaimsPage, LinksToFiguresFromWhereverItIs) {
  write_figure(test::sample_figure(), folder_.path() / "out/lab01");
  EXPECT_NE(page(folder_.path() / "elsewhere/page.html").find("src=\"../out/lab01/sample.svg\""),
            std::string::npos);
}

}  // namespace
}  // namespace phasor
